"""What is known of architectures by name: which have taps, and which are no chat models."""

from __future__ import annotations

from app.core.wording import say

# Targets whose graph of the native library keeps the inputs of its layers, which DFlash and EAGLE-3
# sidecars read. Switching on a tap of any other target ends the process.
TAPPED = frozenset(
    {
        "bailingmoe3", "deepseek4", "gemma4", "gpt-oss", "hunyuan-dense", "hunyuan_vl", "lfm2", "lfm2moe",
        "llama", "mimo2", "minimax-01", "minimax-m2", "muse-glimmer", "nanbeige", "nemotron_h",
        "nemotron_h_moe", "qwen3", "qwen35", "qwen35moe", "qwen3moe", "qwen3next", "qwen4exp",
    }
)  # fmt: skip

# Of these, the ones that also keep what leaves the last layer (tap = number of layers).
TAPPED_AFTER_LAST = frozenset({"deepseek4", "mimo2", "nemotron_h", "nemotron_h_moe"})

# Targets whose graph keeps, for every token, what leaves the last layer: what next-token heads start from.
KEEPS_LAST_STATE = frozenset(
    {
        "bailingmoe3", "cohere2moe", "deepseek2", "deepseek32", "deepseek4", "gemma4", "glm-dsa", "glm4moe",
        "gpt-oss", "hy_v3", "mimo2", "nemotron_h", "nemotron_h_moe", "qwen35", "qwen35moe", "qwen3next",
        "step35",
    }
)  # fmt: skip

# Architectures with a graph for next-token heads, and what every head must have besides `HEAD_TENSORS`;
# without one of these tensors the graph ends the process.
HEAD_TENSORS = ("attn_norm.weight", "nextn.eh_proj.weight", "nextn.enorm.weight", "nextn.hnorm.weight")
HEADS: dict[str, tuple[str, ...]] = {
    "bailingmoe3": ("nextn.shared_head_norm.weight",),
    "cohere2moe": ("ffn_gate_inp.weight",),
    "deepseek2": ("ffn_gate_inp.weight",),
    "deepseek32": ("ffn_gate_inp.weight",),
    "glm-dsa": ("ffn_gate_inp.weight",),
    "glm4moe": ("ffn_gate_inp.weight",),
    "hy_v3": (),
    "mimo2": ("attn_qkv.weight", "ffn_gate.weight", "ffn_down.weight", "ffn_up.weight"),
    "nemotron_h_moe": ("ffn_gate_inp.weight", "nextn.shared_head_norm.weight"),
    "qwen35": (),
    "qwen35moe": ("ffn_gate_inp.weight",),
    "qwen3next": ("ffn_gate_inp.weight",),
    "step35": (),
}

# Of these, the ones whose heads can be chained; the others end the process with more than one.
CHAINED_HEADS = frozenset({"hy_v3", "mimo2", "step35"})

# Of these, the ones whose heads need keys and values in latent form.
LATENT_HEADS = frozenset({"deepseek2", "deepseek32", "glm-dsa"})

# Heads with one width for keys and values: the native graph ends the process otherwise.
ONE_HEAD_WIDTH = frozenset({"llama", "qwen3", "qwen3moe"})

EMBEDDING = frozenset(
    {
        "bert", "eurobert", "gemma-embedding", "jina-bert-v2", "jina-bert-v3", "llama-embed", "modern-bert",
        "neo-bert", "nomic-bert", "nomic-bert-moe", "t5encoder",
    }
)  # fmt: skip

PROJECTOR = frozenset({"clip", "mmproj"})

# Decoders that ride on another model, as an MTP sidecar does.
ASSISTANT = frozenset({"gemma4-assistant"})

# Known to be something else than a model that continues text token by token, and what.
NOT_CHAT = {
    "controlvector": say("It is a control vector, applied to another model."),
    "dream": say("It is a diffusion language model, which does not write from left to right."),
    "llada": say("It is a diffusion language model, which does not write from left to right."),
    "llada-moe": say("It is a diffusion language model, which does not write from left to right."),
    "rnd1": say("It is a diffusion language model, which does not write from left to right."),
    "t5": say("It is an encoder-decoder model, which this program does not run."),
    "wavtokenizer-dec": say("It makes sound, not text."),
    "qwen3tts": say("It makes sound, not text."),
    "pockettts": say("It makes sound, not text."),
    "whisper": say("It hears speech, it does not chat."),
    "flux": say("It makes pictures, not text."),
    "sd1": say("It makes pictures, not text."),
    "sd3": say("It makes pictures, not text."),
    "sdxl": say("It makes pictures, not text."),
    "qwen_image": say("It makes pictures, not text."),
    "lumina2": say("It makes pictures, not text."),
    "hidream": say("It makes pictures, not text."),
    "wan": say("It makes films, not text."),
    "ltxv": say("It makes films, not text."),
    "hyvid": say("It makes films, not text."),
    "cosmos": say("It makes films, not text."),
}
