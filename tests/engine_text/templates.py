"""Small chat templates in the styles that model families use, written for these tests."""

# ChatML with a default system message.
CHATML_DEFAULT_SYSTEM = """\
{% for message in messages %}{% if loop.first and message['role'] != 'system' %}{{ '<|im_start|>system
Be kind.<|im_end|>
' }}{% endif %}{{ '<|im_start|>' + message['role'] + '
' + message['content'] + '<|im_end|>' + '
' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant
' }}{% endif %}"""

# Header tokens, BOS written by the template, a date, tools asked for with "is not none".
HEADERS = """\
{{- bos_token }}
{%- if not date_string is defined %}
    {%- set date_string = strftime_now("%d %b %Y") %}
{%- endif %}
{%- if messages[0]['role'] == 'system' %}
    {%- set system_message = messages[0]['content'] | trim %}
    {%- set messages = messages[1:] %}
{%- else %}
    {%- set system_message = "" %}
{%- endif %}
{{- "<|start_header_id|>system<|end_header_id|>\\n\\nToday: " + date_string + "\\n" }}
{%- if tools is not none %}
    {{- "Tools: " }}{% for t in tools %}{{ t | tojson(indent=4) }}{% endfor %}
{%- endif %}
{{- system_message + "<|eot_id|>" }}
{%- for message in messages %}
    {{- '<|start_header_id|>' + message['role'] + '<|end_header_id|>\\n\\n' }}
    {{- message['content'] | trim + '<|eot_id|>' }}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|start_header_id|>assistant<|end_header_id|>\\n\\n' }}
{%- endif %}"""

# Brackets; user and assistant must alternate; the system message raises.
BRACKETS = """\
{{ bos_token }}{% for message in messages %}\
{% if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}\
{{ raise_exception('Conversation roles must alternate user/assistant/user/assistant/...') }}{% endif %}\
{% if message['role'] == 'user' %}{{ '[INST] ' + message['content'] + ' [/INST]' }}\
{% elif message['role'] == 'assistant' %}{{ message['content'] + eos_token }}\
{% else %}{{ raise_exception('Only user and assistant roles are supported!') }}{% endif %}{% endfor %}"""

# Turn markers with another name for the assistant; a system message raises at once.
TURNS = """\
{{ bos_token }}{% if messages[0]['role'] == 'system' %}
{{ raise_exception('System role not supported') }}
{% endif %}
{% for message in messages %}
{% if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}
{{ raise_exception('roles must alternate') }}
{% endif %}
{% set role = 'model' if message['role'] == 'assistant' else message['role'] %}
{{ '<start_of_turn>' + role + '
' + message['content'] | trim + '<end_of_turn>
' }}{% endfor %}
{% if add_generation_prompt %}{{'<start_of_turn>model
'}}{% endif %}"""

# Role tags on a line of their own, eos after replies.
ROLE_TAGS = """\
{% for message in messages %}
{% if message['role'] == 'user' %}
{{ '<|user|>\\n' + message['content'] + eos_token }}
{% elif message['role'] == 'system' %}
{{ '<|system|>\\n' + message['content'] + eos_token }}
{% elif message['role'] == 'assistant' %}
{{ '<|assistant|>\\n' + message['content'] + eos_token }}
{% endif %}
{% if loop.last and add_generation_prompt %}
{{ '<|assistant|>' }}
{% endif %}
{% endfor %}"""

# Reasoning is stripped from earlier turns; namespaces, reverse slices, string methods, a switch.
REASONING = """\
{%- set ns = namespace(last_user=-1) %}
{%- for message in messages[::-1] %}
    {%- set index = (messages | length - 1) - loop.index0 %}
    {%- if ns.last_user < 0 and message.role == "user" %}{% set ns.last_user = index %}{% endif %}
{%- endfor %}
{%- for message in messages %}
    {%- set content = message.content if message.content is string else '' %}
    {%- if message.role == 'assistant' and message.tool_calls %}
        {{- raise_exception('no tools here') }}
    {%- endif %}
    {%- if message.role == 'assistant' and '</think>' in content and loop.index0 < ns.last_user %}
        {%- set content = content.split('</think>')[-1].lstrip('\\n') %}
    {%- endif %}
    {{- '<|im_start|>' ~ message.role ~ '\\n' ~ content ~ '<|im_end|>\\n' }}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|im_start|>assistant\\n' }}
    {%- if enable_thinking is defined and enable_thinking is false %}
        {{- '<think>\\n\\n</think>\\n\\n' }}
    {%- endif %}
{%- endif %}"""

# Content is a list of parts.
TYPED = """\
{% for message in messages %}{{ message.role | capitalize }}:\
{% for part in message.content %}{% if part.type == 'text' %}{{ ' ' + part.text }}\
{% elif part.type == 'image' %}<image>{% endif %}{% endfor %}<end>
{% endfor %}{% if add_generation_prompt %}Assistant:{% endif %}"""

# Macros, loop controls, training marks.
MACROS = """\
{%- macro turn(role, text) -%}
<|{{ role }}|>{{ text }}<|end|>
{%- endmacro -%}
{%- for message in messages -%}
{%- if message.content == '' %}{% continue %}{% endif -%}
{%- if message.role == 'assistant' -%}
{%- generation %}{{ turn('assistant', message.content) }}{% endgeneration -%}
{%- else -%}
{{ turn(message.role, message.content) }}
{%- endif -%}
{%- endfor -%}
{%- if add_generation_prompt %}<|assistant|>{% endif -%}"""

# The system message is passed over in silence.
DEAF = """\
{% for m in messages %}{% if m.role == 'user' %}### Instruction:
{{ m.content }}

{% elif m.role == 'assistant' %}### Response:
{{ m.content }}

{% endif %}{% endfor %}{% if add_generation_prompt %}### Response:
{% endif %}"""

# The last user message is put out as JSON.
JSON = """\
{{ bos_token }}{% for m in messages %}{{ {'role': m.role, 'text': m.content} | tojson }}
{% endfor %}{% if add_generation_prompt %}>{% endif %}"""
