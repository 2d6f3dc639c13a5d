"""Says, as one line of JSON, what the installed llama-cpp-python can do. Run by path, in the `.venv`.

The same questions as `app/engine/native.py` asks (a test keeps the two alike); repeated here because the
answer is needed before the program is installed.
"""

from __future__ import annotations

import json
from typing import Any

# What a sidecar needs: the plain C name, then the C++ names of GCC and Clang, and of MSVC.
SYMBOLS = {
    "llama_set_embeddings_layer_inp": (
        "_Z30llama_set_embeddings_layer_inpP13llama_contextjb",
        "?llama_set_embeddings_layer_inp@@YAXPEAUllama_context@@I_N@Z",
    ),
    "llama_get_embeddings_layer_inp": (
        "_Z30llama_get_embeddings_layer_inpP13llama_contextj",
        "?llama_get_embeddings_layer_inp@@YAPEAMPEAUllama_context@@I@Z",
    ),
    "llama_set_embeddings_nextn": (
        "_Z26llama_set_embeddings_nextnP13llama_contextbb",
        "?llama_set_embeddings_nextn@@YAXPEAUllama_context@@_N1@Z",
    ),
    "llama_get_embeddings_nextn": (
        "_Z26llama_get_embeddings_nextnP13llama_context",
        "?llama_get_embeddings_nextn@@YAPEAMPEAUllama_context@@@Z",
    ),
}
CONTEXT_FIELDS = ("ctx_other",)


def missing(binding: Any) -> list[str]:
    """What the low-level module `llama_cpp.llama_cpp` lacks of the above."""
    absent = [
        name for name, others in SYMBOLS.items() if not any(hasattr(binding._lib, n) for n in (name, *others))
    ]
    fields = {name for name, *_ in binding.llama_context_params._fields_}
    return absent + [f"llama_context_params.{name}" for name in CONTEXT_FIELDS if name not in fields]


def main() -> None:
    found: dict[str, Any] = {"version": "", "path": "", "missing": [], "error": ""}
    try:
        from importlib.metadata import version

        found["version"] = version("llama-cpp-python")
        import llama_cpp.llama_cpp as binding

        found["path"] = str(binding._lib._name)
        found["missing"] = missing(binding)
    except Exception as error:  # whatever keeps it from loading is the answer
        found["error"] = f"{type(error).__name__}: {error}"
    print(json.dumps(found))


if __name__ == "__main__":
    main()
