"""Chat templates that can be asked for by name, for files that bring none or a wrong one."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class NamedTemplate:
    """`stop` ends a turn; the vocabulary may not know it as a token."""

    source: str
    stop: str


_CHATML = """\
{%- for message in messages -%}
{{ '<|im_start|>' + message.role + '\n' + message.content + '<|im_end|>\n' }}
{%- endfor -%}
{%- if add_generation_prompt -%}{{ '<|im_start|>assistant\n' }}{%- endif -%}
"""
_GEMMA = """\
{{- bos_token -}}
{%- for message in messages -%}
{%- if message.role == 'system' -%}{{ raise_exception('no system role') }}{%- endif -%}
{{ '<start_of_turn>' + ('model' if message.role == 'assistant' else 'user') + '\n' }}
{{- message.content | trim + '<end_of_turn>\n' }}
{%- endfor -%}
{%- if add_generation_prompt -%}{{ '<start_of_turn>model\n' }}{%- endif -%}
"""
_LLAMA2 = """\
{%- set ns = namespace(system='') -%}
{%- for message in messages -%}
{%- if message.role == 'system' -%}
{%- set ns.system = '<<SYS>>\n' + message.content + '\n<</SYS>>\n\n' -%}
{%- elif message.role == 'user' -%}
{{ bos_token + '[INST] ' + ns.system + message.content | trim + ' [/INST]' }}
{%- set ns.system = '' -%}
{%- else -%}
{{ ' ' + message.content | trim + ' ' + eos_token }}
{%- endif -%}
{%- endfor -%}
"""
_LLAMA3 = """\
{{- bos_token -}}
{%- for message in messages -%}
{{ '<|start_header_id|>' + message.role + '<|end_header_id|>\n\n' + message.content | trim + '<|eot_id|>' }}
{%- endfor -%}
{%- if add_generation_prompt -%}{{ '<|start_header_id|>assistant<|end_header_id|>\n\n' }}{%- endif -%}
"""
_MISTRAL = """\
{{- bos_token -}}
{%- for message in messages -%}
{%- if message.role == 'user' -%}{{ '[INST] ' + message.content + ' [/INST]' }}
{%- elif message.role == 'assistant' -%}{{ ' ' + message.content + eos_token }}
{%- else -%}{{ raise_exception('no system role') }}
{%- endif -%}
{%- endfor -%}
"""
_PHI3 = """\
{%- for message in messages -%}
{{ '<|' + message.role + '|>\n' + message.content + '<|end|>\n' }}
{%- endfor -%}
{%- if add_generation_prompt -%}{{ '<|assistant|>\n' }}{%- endif -%}
"""
_ZEPHYR = """\
{%- for message in messages -%}
{{ '<|' + message.role + '|>\n' + message.content + eos_token + '\n' }}
{%- endfor -%}
{%- if add_generation_prompt -%}{{ '<|assistant|>\n' }}{%- endif -%}
"""
_VICUNA = """\
{{- bos_token -}}
{%- for message in messages -%}
{%- if message.role == 'system' -%}{{ message.content + '\n\n' }}
{%- elif message.role == 'user' -%}{{ 'USER: ' + message.content + '\n' }}
{%- else -%}{{ 'ASSISTANT: ' + message.content + eos_token + '\n' }}
{%- endif -%}
{%- endfor -%}
{%- if add_generation_prompt -%}{{ 'ASSISTANT:' }}{%- endif -%}
"""
_ALPACA = """\
{%- for message in messages -%}
{%- if message.role == 'system' -%}{{ message.content + '\n\n' }}
{%- elif message.role == 'user' -%}{{ '### Instruction:\n' + message.content + '\n\n' }}
{%- else -%}{{ '### Response:\n' + message.content + eos_token + '\n\n' }}
{%- endif -%}
{%- endfor -%}
{%- if add_generation_prompt -%}{{ '### Response:\n' }}{%- endif -%}
"""
# The names are those of `app.core.templates.NAMED`.
TEMPLATES = {
    "chatml": NamedTemplate(_CHATML, "<|im_end|>"),
    "llama2": NamedTemplate(_LLAMA2, "[INST]"),
    "llama3": NamedTemplate(_LLAMA3, "<|eot_id|>"),
    "mistral": NamedTemplate(_MISTRAL, "[INST]"),
    "gemma": NamedTemplate(_GEMMA, "<end_of_turn>"),
    "phi3": NamedTemplate(_PHI3, "<|end|>"),
    "zephyr": NamedTemplate(_ZEPHYR, "<|user|>"),
    "vicuna": NamedTemplate(_VICUNA, "USER:"),
    "alpaca": NamedTemplate(_ALPACA, "### Instruction:"),
}
