# ruff: noqa: E501 - a line is a line of a template
"""How model families write a conversation: facts about their tags, roles and errors, in templates of our own.

Each family has a minimal template with the features that its models' templates use, and the prompt which
the reference of these models makes of one conversation: a system message, a question, an answer, a question.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from app.core.conversation import ASSISTANT, SYSTEM, USER, ChatMessage
from app.core.templates import CHOICE, SWITCH, TEXT

TALK = [
    ChatMessage(SYSTEM, "Be brief."),
    ChatMessage(USER, "Hi"),
    ChatMessage(ASSISTANT, "Hello."),
    ChatMessage(USER, "Bye"),
]


@dataclass(frozen=True)
class Family:
    """`variables`: kind by name. `given`: values for them, and the prompt they make instead."""

    name: str
    source: str
    expected: str
    bos: str = ""
    eos: str = ""
    merges_system: bool = False
    variables: dict[str, str] = field(default_factory=dict)
    given: tuple[tuple[dict[str, bool | str], str], ...] = ()


_CHATML = (
    "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nHi<|im_end|>\n"
    "<|im_start|>assistant\nHello.<|im_end|>\n<|im_start|>user\nBye<|im_end|>\n<|im_start|>assistant\n"
)

FAMILIES = [
    Family(
        "chatml with a default system message",
        "{% for m in messages %}{% if loop.first and messages[0]['role'] != 'system' %}"
        "{{ '<|im_start|>system\nYou are a helpful assistant.<|im_end|>\n' }}{% endif %}"
        "{{ '<|im_start|>' + m['role'] + '\n' + m['content'] + '<|im_end|>' + '\n' }}{% endfor %}"
        "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}",
        _CHATML,
        eos="<|im_end|>",
    ),
    Family(
        "chatml behind a beginning of its own",
        "{{ bos_token }}{% for m in messages %}{{ '<|im_start|>' + m.role + '\n' + m.content }}"
        "{{ '<|im_end|>\n' }}{% endfor %}"
        "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}",
        "<|startoftext|>" + _CHATML,
        bos="<|startoftext|>",
        eos="<|im_end|>",
    ),
    Family(
        "thinking that can be switched off",
        "{%- set ns = namespace(last=messages|length - 1) %}"
        "{%- for m in messages[::-1] %}{%- set i = messages|length - 1 - loop.index0 %}"
        "{%- if m.role == 'user' and i > ns.last - 1 %}{%- set ns.last = i %}{%- endif %}{%- endfor %}"
        "{%- for m in messages %}{%- set content = m.content %}"
        "{%- if m.role == 'assistant' and '</think>' in content %}"
        "{%- set content = content.split('</think>')[-1].lstrip('\n') %}{%- endif %}"
        "{{- '<|im_start|>' + m.role + '\n' + content + '<|im_end|>\n' }}{%- endfor %}"
        "{%- if add_generation_prompt %}{{- '<|im_start|>assistant\n' }}"
        "{%- if enable_thinking is defined and enable_thinking is false %}"
        "{{- '<think>\n\n</think>\n\n' }}{%- endif %}{%- endif %}",
        _CHATML,
        eos="<|im_end|>",
        variables={"enable_thinking": SWITCH},
        given=(
            ({"enable_thinking": False}, _CHATML + "<think>\n\n</think>\n\n"),
            ({"enable_thinking": True}, _CHATML),
        ),
    ),
    Family(
        "thinking that has begun",
        "{%- for m in messages %}{{- '<|im_start|>' + m.role + '\n' + m.content + '<|im_end|>\n' }}{%- endfor %}"
        "{%- if add_generation_prompt %}{{- '<|im_start|>assistant\n<think>\n' }}{%- endif %}",
        _CHATML + "<think>\n",
    ),
    Family(
        "full-width bars, thinking begun, system text bare",
        "{% if not add_generation_prompt is defined %}{% set add_generation_prompt = false %}{% endif %}"
        "{% set ns = namespace(system='') %}{% for m in messages %}{% if m['role'] == 'system' %}"
        "{% set ns.system = m['content'] %}{% endif %}{% endfor %}{{ bos_token }}{{ ns.system }}"
        "{% for m in messages %}{% if m['role'] == 'user' %}{{ '<｜User｜>' + m['content'] }}"
        "{% elif m['role'] == 'assistant' %}{% set content = m['content'] %}{% if '</think>' in content %}"
        "{% set content = content.split('</think>')[-1] %}{% endif %}"
        "{{ '<｜Assistant｜>' + content + '<｜end▁of▁sentence｜>' }}{% endif %}{% endfor %}"
        "{% if add_generation_prompt %}{{ '<｜Assistant｜><think>\n' }}{% endif %}",
        "<｜begin▁of▁sentence｜>Be brief.<｜User｜>Hi<｜Assistant｜>Hello.<｜end▁of▁sentence｜>"
        "<｜User｜>Bye<｜Assistant｜><think>\n",
        bos="<｜begin▁of▁sentence｜>",
        eos="<｜end▁of▁sentence｜>",
    ),
    Family(
        "full-width bars, thinking asked for",
        "{%- if not thinking is defined %}{%- set thinking = false %}{%- endif %}{{- bos_token }}"
        "{%- for m in messages %}{%- if m.role == 'system' %}{{- m.content }}"
        "{%- elif m.role == 'user' %}{{- '<｜User｜>' + m.content }}"
        "{%- else %}{{- '<｜Assistant｜></think>' + m.content + eos_token }}{%- endif %}{%- endfor %}"
        "{%- if add_generation_prompt %}{{- '<｜Assistant｜>' }}"
        "{{- '<think>' if thinking else '</think>' }}{%- endif %}",
        "<b>Be brief.<｜User｜>Hi<｜Assistant｜></think>Hello.<e><｜User｜>Bye<｜Assistant｜></think>",
        bos="<b>",
        eos="<e>",
        variables={"thinking": SWITCH},
        given=(
            (
                {"thinking": True},
                "<b>Be brief.<｜User｜>Hi<｜Assistant｜></think>Hello.<e><｜User｜>Bye<｜Assistant｜><think>",
            ),
        ),
    ),
    Family(
        "brackets with the system text inside",
        "{% if messages[0]['role'] == 'system' %}{% set loop_messages = messages[1:] %}"
        "{% set system_message = messages[0]['content'] %}{% else %}{% set loop_messages = messages %}"
        "{% set system_message = false %}{% endif %}{% for m in loop_messages %}"
        "{% if (m['role'] == 'user') != (loop.index0 % 2 == 0) %}"
        "{{ raise_exception('Conversation roles must alternate user/assistant/user/assistant/...') }}{% endif %}"
        "{% if loop.index0 == 0 and system_message != false %}"
        "{% set content = '<<SYS>>\n' + system_message + '\n<</SYS>>\n\n' + m['content'] %}"
        "{% else %}{% set content = m['content'] %}{% endif %}"
        "{% if m['role'] == 'user' %}{{ bos_token + '[INST] ' + content.strip() + ' [/INST]' }}"
        "{% elif m['role'] == 'assistant' %}{{ ' ' + content.strip() + ' ' + eos_token }}{% endif %}{% endfor %}",
        "<s>[INST] <<SYS>>\nBe brief.\n<</SYS>>\n\nHi [/INST] Hello. </s><s>[INST] Bye [/INST]",
        bos="<s>",
        eos="</s>",
    ),
    Family(
        "header tokens",
        "{% for m in messages %}{% set content = '<|start_header_id|>' + m['role'] + '<|end_header_id|>\n\n'"
        " + m['content'] | trim + '<|eot_id|>' %}{% if loop.index0 == 0 %}{% set content = bos_token + content %}"
        "{% endif %}{{ content }}{% endfor %}{% if add_generation_prompt %}"
        "{{ '<|start_header_id|>assistant<|end_header_id|>\n\n' }}{% endif %}",
        "<|begin_of_text|><|start_header_id|>system<|end_header_id|>\n\nBe brief.<|eot_id|>"
        "<|start_header_id|>user<|end_header_id|>\n\nHi<|eot_id|>"
        "<|start_header_id|>assistant<|end_header_id|>\n\nHello.<|eot_id|>"
        "<|start_header_id|>user<|end_header_id|>\n\nBye<|eot_id|>"
        "<|start_header_id|>assistant<|end_header_id|>\n\n",
        bos="<|begin_of_text|>",
        eos="<|eot_id|>",
    ),
    Family(
        "header tokens with a date",
        "{{- bos_token }}{%- if not date_string is defined %}{%- if strftime_now is defined %}"
        "{%- set date_string = strftime_now('%Y') %}{%- else %}{%- set date_string = '26 Jul 2024' %}{%- endif %}"
        "{%- endif %}{%- set date_string = 'today' %}"
        "{%- if messages[0]['role'] == 'system' %}{%- set system_message = messages[0]['content']|trim %}"
        "{%- set messages = messages[1:] %}{%- else %}{%- set system_message = '' %}{%- endif %}"
        "{{- '<|start_header_id|>system<|end_header_id|>\n\n' }}"
        "{%- if tools is not none %}{{- 'Environment: ipython\n' }}{%- endif %}"
        "{{- 'Cutting Knowledge Date: December 2023\nToday Date: ' + date_string + '\n\n' }}"
        "{{- system_message }}{{- '<|eot_id|>' }}"
        "{%- for m in messages %}{%- if not (m.role == 'ipython' or m.role == 'tool' or 'tool_calls' in m) %}"
        "{{- '<|start_header_id|>' + m['role'] + '<|end_header_id|>\n\n' + m['content'] | trim + '<|eot_id|>' }}"
        "{%- endif %}{%- endfor %}"
        "{%- if add_generation_prompt %}{{- '<|start_header_id|>assistant<|end_header_id|>\n\n' }}{%- endif %}",
        "<|begin_of_text|><|start_header_id|>system<|end_header_id|>\n\nCutting Knowledge Date: December 2023\n"
        "Today Date: today\n\nBe brief.<|eot_id|><|start_header_id|>user<|end_header_id|>\n\nHi<|eot_id|>"
        "<|start_header_id|>assistant<|end_header_id|>\n\nHello.<|eot_id|>"
        "<|start_header_id|>user<|end_header_id|>\n\nBye<|eot_id|>"
        "<|start_header_id|>assistant<|end_header_id|>\n\n",
        bos="<|begin_of_text|>",
    ),
    Family(
        "short headers, typed content allowed",
        "{{- bos_token }}{%- for m in messages %}{{- '<|header_start|>' + m.role + '<|header_end|>\n\n' }}"
        "{%- if m.content is string %}{{- m.content }}{%- else %}{%- for c in m.content %}"
        "{%- if c.type == 'image' %}{{- '<|image|>' }}{%- elif c.type == 'text' %}{{- c.text | trim }}"
        "{%- endif %}{%- endfor %}{%- endif %}{{- '<|eot|>' }}{%- endfor %}"
        "{%- if add_generation_prompt %}{{- '<|header_start|>assistant<|header_end|>\n\n' }}{%- endif %}",
        "<b><|header_start|>system<|header_end|>\n\nBe brief.<|eot|>"
        "<|header_start|>user<|header_end|>\n\nHi<|eot|><|header_start|>assistant<|header_end|>\n\nHello.<|eot|>"
        "<|header_start|>user<|header_end|>\n\nBye<|eot|><|header_start|>assistant<|header_end|>\n\n",
        bos="<b>",
    ),
    Family(
        "brackets without a system role",
        "{{ bos_token }}{% for m in messages %}{% if (m['role'] == 'user') != (loop.index0 % 2 == 0) %}"
        "{{ raise_exception('Conversation roles must alternate user/assistant/user/assistant/...') }}{% endif %}"
        "{% if m['role'] == 'user' %}{{ '[INST] ' + m['content'] + ' [/INST]' }}"
        "{% elif m['role'] == 'assistant' %}{{ m['content'] + eos_token }}"
        "{% else %}{{ raise_exception('Only user and assistant roles are supported!') }}{% endif %}{% endfor %}",
        "<s>[INST] Be brief.\n\nHi [/INST]Hello.</s>[INST] Bye [/INST]",
        bos="<s>",
        eos="</s>",
        merges_system=True,
    ),
    Family(
        "brackets, system text before the last question",
        "{%- if messages[0].role == 'system' %}{%- set system_message = messages[0].content %}"
        "{%- set loop_messages = messages[1:] %}{%- else %}{%- set loop_messages = messages %}{%- endif %}"
        "{{- bos_token }}{%- for m in loop_messages %}{%- if m.role == 'user' %}"
        "{%- if loop.last and system_message is defined %}"
        "{{- '[INST]' + system_message + '\n\n' + m.content + '[/INST]' }}"
        "{%- else %}{{- '[INST]' + m.content + '[/INST]' }}{%- endif %}"
        "{%- elif m.role == 'assistant' %}{{- m.content|trim + eos_token }}"
        "{%- else %}{{- raise_exception('Only user and assistant roles are supported') }}{%- endif %}{%- endfor %}",
        "<s>[INST]Hi[/INST]Hello.</s>[INST]Be brief.\n\nBye[/INST]",
        bos="<s>",
        eos="</s>",
    ),
    Family(
        "brackets with a system bracket",
        "{{- bos_token }}{%- for m in messages %}"
        "{%- if m.role == 'system' %}{{- '[SYSTEM_PROMPT]' + m.content + '[/SYSTEM_PROMPT]' }}"
        "{%- elif m.role == 'user' %}{{- '[INST]' + m.content + '[/INST]' }}"
        "{%- elif m.role == 'assistant' %}{{- m.content + eos_token }}"
        "{%- else %}{{- raise_exception('Only user, system and assistant roles are supported!') }}"
        "{%- endif %}{%- endfor %}",
        "<s>[SYSTEM_PROMPT]Be brief.[/SYSTEM_PROMPT][INST]Hi[/INST]Hello.</s>[INST]Bye[/INST]",
        bos="<s>",
        eos="</s>",
    ),
    Family(
        "turns without a system role",
        "{{ bos_token }}{% if messages[0]['role'] == 'system' %}{{ raise_exception('System role not supported') }}"
        "{% endif %}{% for m in messages %}{% if (m['role'] == 'user') != (loop.index0 % 2 == 0) %}"
        "{{ raise_exception('Conversation roles must alternate user/assistant/user/assistant/...') }}{% endif %}"
        "{% if (m['role'] == 'assistant') %}{% set role = 'model' %}{% else %}{% set role = m['role'] %}{% endif %}"
        "{{ '<start_of_turn>' + role + '\n' + m['content'] | trim + '<end_of_turn>\n' }}{% endfor %}"
        "{% if add_generation_prompt %}{{'<start_of_turn>model\n'}}{% endif %}",
        "<bos><start_of_turn>user\nBe brief.\n\nHi<end_of_turn>\n<start_of_turn>model\nHello.<end_of_turn>\n"
        "<start_of_turn>user\nBye<end_of_turn>\n<start_of_turn>model\n",
        bos="<bos>",
        merges_system=True,
    ),
    Family(
        "turns with the system text in the first one",
        "{{ bos_token }}{%- if messages[0]['role'] == 'system' -%}{%- if messages[0]['content'] is string -%}"
        "{%- set prefix = messages[0]['content'] + '\n\n' -%}{%- else -%}"
        "{%- set prefix = messages[0]['content'][0]['text'] + '\n\n' -%}{%- endif -%}"
        "{%- set loop_messages = messages[1:] -%}{%- else -%}{%- set prefix = '' -%}"
        "{%- set loop_messages = messages -%}{%- endif -%}{%- for m in loop_messages -%}"
        "{%- if (m['role'] == 'user') != (loop.index0 % 2 == 0) -%}"
        "{{ raise_exception('Conversation roles must alternate user/assistant/user/assistant/...') }}{%- endif -%}"
        "{%- set role = 'model' if m['role'] == 'assistant' else m['role'] -%}"
        "{{ '<start_of_turn>' + role + '\n' + (prefix if loop.first else '') }}"
        "{%- if m['content'] is string -%}{{ m['content'] | trim }}"
        "{%- elif m['content'] is iterable -%}{%- for item in m['content'] -%}{{ item['text'] | trim }}"
        "{%- endfor -%}{%- else -%}{{ raise_exception('Invalid content type') }}{%- endif -%}"
        "{{ '<end_of_turn>\n' }}{%- endfor -%}"
        "{%- if add_generation_prompt -%}{{'<start_of_turn>model\n'}}{%- endif -%}",
        "<bos><start_of_turn>user\nBe brief.\n\nHi<end_of_turn>\n<start_of_turn>model\nHello.<end_of_turn>\n"
        "<start_of_turn>user\nBye<end_of_turn>\n<start_of_turn>model\n",
        bos="<bos>",
    ),
    Family(
        "role tags and an end tag on lines",
        "{% for m in messages %}{% if m['role'] == 'system' %}{{'<|system|>\n' + m['content'] + '<|end|>\n'}}"
        "{% elif m['role'] == 'user' %}{{'<|user|>\n' + m['content'] + '<|end|>\n'}}"
        "{% elif m['role'] == 'assistant' %}{{'<|assistant|>\n' + m['content'] + '<|end|>\n'}}{% endif %}"
        "{% endfor %}{% if add_generation_prompt %}{{ '<|assistant|>\n' }}{% else %}{{ eos_token }}{% endif %}",
        "<|system|>\nBe brief.<|end|>\n<|user|>\nHi<|end|>\n<|assistant|>\nHello.<|end|>\n"
        "<|user|>\nBye<|end|>\n<|assistant|>\n",
        eos="<|endoftext|>",
    ),
    Family(
        "role tags in one line",
        "{% for m in messages %}{{ '<|' + m['role'] + '|>' + m['content'] + '<|end|>' }}{% endfor %}"
        "{% if add_generation_prompt %}{{ '<|assistant|>' }}{% else %}{{ eos_token }}{% endif %}",
        "<|system|>Be brief.<|end|><|user|>Hi<|end|><|assistant|>Hello.<|end|><|user|>Bye<|end|><|assistant|>",
    ),
    Family(
        "chatml with a separator",
        "{% for m in messages %}{{ '<|im_start|>' + m['role'] + '<|im_sep|>' + m['content'] + '<|im_end|>' }}"
        "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant<|im_sep|>' }}{% endif %}",
        "<|im_start|>system<|im_sep|>Be brief.<|im_end|><|im_start|>user<|im_sep|>Hi<|im_end|>"
        "<|im_start|>assistant<|im_sep|>Hello.<|im_end|><|im_start|>user<|im_sep|>Bye<|im_end|>"
        "<|im_start|>assistant<|im_sep|>",
    ),
    Family(
        "turn tokens in capitals",
        "{{ bos_token }}{% for m in messages %}{{ '<|START_OF_TURN_TOKEN|>' }}"
        "{% if m.role == 'system' %}{{ '<|SYSTEM_TOKEN|>' }}{% elif m.role == 'user' %}{{ '<|USER_TOKEN|>' }}"
        "{% else %}{{ '<|CHATBOT_TOKEN|>' }}{% endif %}{{ m.content.strip() + '<|END_OF_TURN_TOKEN|>' }}"
        "{% endfor %}{% if add_generation_prompt %}{{ '<|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>' }}{% endif %}",
        "<BOS_TOKEN><|START_OF_TURN_TOKEN|><|SYSTEM_TOKEN|>Be brief.<|END_OF_TURN_TOKEN|>"
        "<|START_OF_TURN_TOKEN|><|USER_TOKEN|>Hi<|END_OF_TURN_TOKEN|>"
        "<|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>Hello.<|END_OF_TURN_TOKEN|>"
        "<|START_OF_TURN_TOKEN|><|USER_TOKEN|>Bye<|END_OF_TURN_TOKEN|><|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>",
        bos="<BOS_TOKEN>",
    ),
    Family(
        "roles between tokens, thinking by a sentence",
        "{%- if messages[0]['role'] == 'system' %}{%- set system_message = messages[0]['content'] %}"
        "{%- set loop_messages = messages[1:] %}{%- else %}{%- set system_message = 'You are a model.' %}"
        "{%- if thinking %}{%- set system_message = system_message + ' Think first.' %}{%- endif %}"
        "{%- set loop_messages = messages %}{%- endif %}"
        "{{- '<|start_of_role|>system<|end_of_role|>' + system_message }}"
        "{%- if thinking %}{{- ' Think first.' }}{%- endif %}{{- '<|end_of_text|>\n' }}"
        "{%- for m in loop_messages %}"
        "{{- '<|start_of_role|>' + m['role'] + '<|end_of_role|>' + m['content'] + '<|end_of_text|>\n' }}"
        "{%- endfor %}{%- if add_generation_prompt %}{{- '<|start_of_role|>assistant' }}"
        "{%- if controls %}{{- ' ' + controls | tojson() }}{%- endif %}{{- '<|end_of_role|>' }}{%- endif %}",
        "<|start_of_role|>system<|end_of_role|>Be brief.<|end_of_text|>\n"
        "<|start_of_role|>user<|end_of_role|>Hi<|end_of_text|>\n"
        "<|start_of_role|>assistant<|end_of_role|>Hello.<|end_of_text|>\n"
        "<|start_of_role|>user<|end_of_role|>Bye<|end_of_text|>\n<|start_of_role|>assistant<|end_of_role|>",
        variables={"thinking": SWITCH},
        given=(
            (
                {"thinking": True},
                "<|start_of_role|>system<|end_of_role|>Be brief. Think first.<|end_of_text|>\n"
                "<|start_of_role|>user<|end_of_role|>Hi<|end_of_text|>\n"
                "<|start_of_role|>assistant<|end_of_role|>Hello.<|end_of_text|>\n"
                "<|start_of_role|>user<|end_of_role|>Bye<|end_of_text|>\n<|start_of_role|>assistant<|end_of_role|>",
            ),
        ),
    ),
    Family(
        "channels, with an effort to choose",
        "{%- macro head() -%}{{- 'You are a model.\n' }}"
        "{%- if reasoning_effort is not defined %}{%- set reasoning_effort = 'medium' %}{%- endif %}"
        "{{- 'Reasoning: ' + reasoning_effort + '\n' }}"
        "{%- if reasoning_effort not in ['low', 'medium', 'high'] %}{{- raise_exception('no such effort') }}"
        "{%- endif %}{%- endmacro -%}"
        "{{- '<|start|>system<|message|>' }}{{- head() }}{{- '<|end|>' }}"
        "{%- if messages[0].role == 'developer' or messages[0].role == 'system' %}"
        "{{- '<|start|>developer<|message|># Instructions\n\n' + messages[0].content + '<|end|>' }}"
        "{%- set loop_messages = messages[1:] %}{%- else %}{%- set loop_messages = messages %}{%- endif %}"
        "{%- for m in loop_messages -%}{%- if m.role == 'assistant' -%}"
        "{%- if '<|channel|>analysis<|message|>' in m.content %}"
        "{{- raise_exception('thoughts belong in a field of their own') }}{%- endif %}"
        "{{- '<|start|>assistant<|channel|>final<|message|>' + m.content + '<|end|>' }}"
        "{%- elif m.role == 'user' -%}{{- '<|start|>user<|message|>' + m.content + '<|end|>' }}"
        "{%- endif -%}{%- endfor -%}{%- if add_generation_prompt -%}{{- '<|start|>assistant' }}{%- endif -%}",
        "<|start|>system<|message|>You are a model.\nReasoning: medium\n<|end|>"
        "<|start|>developer<|message|># Instructions\n\nBe brief.<|end|><|start|>user<|message|>Hi<|end|>"
        "<|start|>assistant<|channel|>final<|message|>Hello.<|end|><|start|>user<|message|>Bye<|end|>"
        "<|start|>assistant",
        eos="<|return|>",
        variables={"reasoning_effort": CHOICE},
        given=(
            (
                {"reasoning_effort": "high"},
                "<|start|>system<|message|>You are a model.\nReasoning: high\n<|end|>"
                "<|start|>developer<|message|># Instructions\n\nBe brief.<|end|><|start|>user<|message|>Hi<|end|>"
                "<|start|>assistant<|channel|>final<|message|>Hello.<|end|><|start|>user<|message|>Bye<|end|>"
                "<|start|>assistant",
            ),
        ),
    ),
    Family(
        "role tags ended by eos",
        "{% for m in messages %}\n{% if m['role'] == 'user' %}\n{{ '<|user|>\n' + m['content'] + eos_token }}\n"
        "{% elif m['role'] == 'system' %}\n{{ '<|system|>\n' + m['content'] + eos_token }}\n"
        "{% elif m['role'] == 'assistant' %}\n{{ '<|assistant|>\n'  + m['content'] + eos_token }}\n{% endif %}\n"
        "{% if loop.last and add_generation_prompt %}\n{{ '<|assistant|>' }}\n{% endif %}\n{% endfor %}",
        "<|system|>\nBe brief.</s>\n<|user|>\nHi</s>\n<|assistant|>\nHello.</s>\n<|user|>\nBye</s>\n<|assistant|>\n",
        eos="</s>",
    ),
    Family(
        "names and colons",
        "{% for m in messages %}{% if not loop.first %}{{ '\n' }}{% endif %}"
        "{% if m['role'] == 'system' %}{{ 'System: ' }}{% elif m['role'] == 'user' %}{{ 'User: ' }}"
        "{% elif m['role'] == 'assistant' %}{{ 'Falcon: ' }}{% endif %}{{ m['content'] }}{% endfor %}"
        "{% if add_generation_prompt %}{{ '\n' + 'Falcon:' }}{% endif %}",
        "System: Be brief.\nUser: Hi\nFalcon: Hello.\nUser: Bye\nFalcon:",
    ),
    Family(
        "names and colons, system text first",
        "{% if messages[0]['role'] == 'system' %}{{ messages[0]['content'] + '\n\n' }}"
        "{% set messages = messages[1:] %}{% endif %}{% for m in messages %}"
        "{% if m['role'] == 'user' %}{{ 'USER: ' + m['content'].strip() + '\n' }}"
        "{% else %}{{ 'ASSISTANT: ' + m['content'] + eos_token + '\n' }}{% endif %}{% endfor %}"
        "{% if add_generation_prompt %}{{ 'ASSISTANT:' }}{% endif %}",
        "Be brief.\n\nUSER: Hi\nASSISTANT: Hello.</s>\nUSER: Bye\nASSISTANT:",
        eos="</s>",
    ),
    Family(
        "headings",
        "{% for m in messages %}{{ '### ' + m['role'].title() + ':\n' + m['content'] + '\n\n' }}{% endfor %}"
        "{% if add_generation_prompt %}{{ '### Assistant:\n' }}{% endif %}",
        "### System:\nBe brief.\n\n### User:\nHi\n\n### Assistant:\nHello.\n\n### User:\nBye\n\n### Assistant:\n",
    ),
    Family(
        "a beginning of two marks, thinking refused by a mark",
        "[gMASK]<sop>\n{%- for m in messages %}{%- if m.role == 'system' %}{{ '<|system|>\n' + m.content }}"
        "{%- elif m.role == 'user' %}{{ '<|user|>\n' + m.content }}"
        "{%- if enable_thinking is defined and not enable_thinking and not m.content.endswith('/nothink') %}"
        "{{ '/nothink' }}{%- endif %}"
        "{%- else %}{{ '<|assistant|>\n' + m.content.split('</think>')[-1].strip() }}{%- endif %}{%- endfor %}"
        "{%- if add_generation_prompt %}{{ '<|assistant|>' }}"
        "{{- '\n<think></think>' if (enable_thinking is defined and not enable_thinking) else '' }}{%- endif %}",
        "[gMASK]<sop><|system|>\nBe brief.<|user|>\nHi<|assistant|>\nHello.<|user|>\nBye<|assistant|>",
        variables={"enable_thinking": SWITCH},
        given=(
            (
                {"enable_thinking": False},
                "[gMASK]<sop><|system|>\nBe brief.<|user|>\nHi/nothink<|assistant|>\nHello."
                "<|user|>\nBye/nothink<|assistant|>\n<think></think>",
            ),
        ),
    ),
    Family(
        "a name before every turn, no system role",
        "{{ bos_token }}{% for m in messages %}{% if m['role'] == 'system' %}"
        "{{ raise_exception('no system messages') }}{% endif %}"
        "{{ 'GPT4 Correct ' + m['role'].title() + ': ' + m['content'] + '<|end_of_turn|>' }}{% endfor %}"
        "{% if add_generation_prompt %}{{ 'GPT4 Correct Assistant:' }}{% endif %}",
        "<s>GPT4 Correct User: Be brief.\n\nHi<|end_of_turn|>GPT4 Correct Assistant: Hello.<|end_of_turn|>"
        "GPT4 Correct User: Bye<|end_of_turn|>GPT4 Correct Assistant:",
        bos="<s>",
        merges_system=True,
    ),
    Family(
        "square tags with bars",
        "{% for m in messages %}{% if loop.first and messages[0]['role'] != 'system' %}"
        "{{ '[|system|][|endofturn|]\n' }}{% endif %}{{ '[|' + m['role'] + '|]' + m['content'] }}"
        "{% if m['role'] == 'user' %}{{ '\n' }}{% else %}{{ '[|endofturn|]\n' }}{% endif %}{% endfor %}"
        "{% if add_generation_prompt %}{{ '[|assistant|]' }}{% endif %}",
        "[|system|]Be brief.[|endofturn|]\n[|user|]Hi\n[|assistant|]Hello.[|endofturn|]\n[|user|]Bye\n[|assistant|]",
    ),
    Family(
        "replies marked for training",
        "{{ bos_token }}{% for m in messages %}{% if m['role'] == 'assistant' %}"
        "{% generation %}{{ '<|assistant|>\n' + m['content'] + eos_token + '\n' }}{% endgeneration %}"
        "{% else %}{{ '<|' + m['role'] + '|>\n' + m['content'] + '\n' }}{% endif %}{% endfor %}"
        "{% if add_generation_prompt %}{{ '<|assistant|>\n' }}{% endif %}",
        "<|endoftext|><|system|>\nBe brief.\n<|user|>\nHi\n<|assistant|>\nHello.<|endoftext|>\n"
        "<|user|>\nBye\n<|assistant|>\n",
        bos="<|endoftext|>",
        eos="<|endoftext|>",
    ),
    Family(
        "a mode in the system header",
        "{%- if enable_thinking is not defined %}{%- set enable_thinking = true %}{%- endif %}"
        "{%- set mode = '/think' if enable_thinking else '/no_think' %}"
        "{{- '<|im_start|>system\n## Mode: ' + mode + '\n' }}"
        "{%- if messages[0].role == 'system' %}{{- messages[0].content + '\n' }}"
        "{%- set messages = messages[1:] %}{%- endif %}{{- '<|im_end|>\n' }}"
        "{%- for m in messages %}{%- set content = m.content if m.content is string else '' %}"
        "{{- '<|im_start|>' + m.role + '\n' }}"
        "{%- if m.role == 'assistant' and not enable_thinking %}{{- '<think>\n\n</think>\n' }}{%- endif %}"
        "{{- content + '<|im_end|>\n' }}{%- endfor %}"
        "{%- if add_generation_prompt %}{{- '<|im_start|>assistant\n' }}"
        "{%- if not enable_thinking %}{{- '<think>\n\n</think>\n' }}{%- endif %}{%- endif %}",
        "<|im_start|>system\n## Mode: /think\nBe brief.\n<|im_end|>\n<|im_start|>user\nHi<|im_end|>\n"
        "<|im_start|>assistant\nHello.<|im_end|>\n<|im_start|>user\nBye<|im_end|>\n<|im_start|>assistant\n",
        variables={"enable_thinking": SWITCH},
        given=(
            (
                {"enable_thinking": False},
                "<|im_start|>system\n## Mode: /no_think\nBe brief.\n<|im_end|>\n<|im_start|>user\nHi<|im_end|>\n"
                "<|im_start|>assistant\n<think>\n\n</think>\nHello.<|im_end|>\n<|im_start|>user\nBye<|im_end|>\n"
                "<|im_start|>assistant\n<think>\n\n</think>\n",
            ),
        ),
    ),
    Family(
        "role, middle, end",
        "{%- for m in messages -%}{%- if loop.first and messages[0]['role'] != 'system' -%}"
        "{{ '<|im_system|>system<|im_middle|>You help.<|im_end|>' }}{%- endif -%}"
        "{{ '<|im_' + m['role'] + '|>' + m['role'] + '<|im_middle|>' + m['content'] + '<|im_end|>' }}"
        "{%- endfor -%}{%- if add_generation_prompt -%}{{ '<|im_assistant|>assistant<|im_middle|>' }}{%- endif -%}",
        "<|im_system|>system<|im_middle|>Be brief.<|im_end|><|im_user|>user<|im_middle|>Hi<|im_end|>"
        "<|im_assistant|>assistant<|im_middle|>Hello.<|im_end|><|im_user|>user<|im_middle|>Bye<|im_end|>"
        "<|im_assistant|>assistant<|im_middle|>",
    ),
    Family(
        "a budget put into the prompt",
        "{%- if not thinking_budget is defined %}{%- set thinking_budget = '-1' %}{%- endif %}"
        "{%- for m in messages %}{{- bos_token + m.role + '\n' + m.content + eos_token }}{%- endfor %}"
        "{%- if thinking_budget != '-1' %}{{- bos_token + 'system\nThink for ' + thinking_budget + eos_token }}"
        "{%- endif %}{%- if add_generation_prompt %}{{- bos_token + 'assistant\n' }}{%- endif %}",
        "<b>system\nBe brief.<e><b>user\nHi<e><b>assistant\nHello.<e><b>user\nBye<e><b>assistant\n",
        bos="<b>",
        eos="<e>",
        variables={"thinking_budget": TEXT},
        given=(
            (
                {"thinking_budget": "512"},
                "<b>system\nBe brief.<e><b>user\nHi<e><b>assistant\nHello.<e><b>user\nBye<e>"
                "<b>system\nThink for 512<e><b>assistant\n",
            ),
        ),
    ),
]
