"""The target's vocabulary and chat format. Only encoding needs the native library."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

END = 2  # <|im_end|>, which is also the end-of-text token
SYSTEM = "You are a helpful AI assistant named SmolLM, trained by Hugging Face"


def render(prompt: str) -> str:
    """One user turn as the file's own template renders it (it adds its default system text)."""
    system = f"<|im_start|>system\n{SYSTEM}<|im_end|>\n"
    return f"{system}<|im_start|>user\n{prompt}<|im_end|>\n<|im_start|>assistant\n"


USER_PREFIX = render("\0").split("\0")[0]
ANSWER_PREFIX = "\n<|im_start|>assistant\n"


def _byte_letters() -> dict[str, int]:
    """The letters with which byte-level vocabularies write the 256 bytes."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    letters = {chr(b): b for b in plain}
    letters.update({chr(256 + i): b for i, b in enumerate(b for b in range(256) if b not in plain)})
    return letters


class Vocabulary:
    """Tokens to text, from the token list of a GGUF file."""

    def __init__(self, path: Path) -> None:
        import gguf

        field = gguf.GGUFReader(str(path)).fields["tokenizer.ggml.tokens"]
        self.tokens: list[str] = field.contents()
        self._bytes = _byte_letters()

    def decode(self, tokens: Sequence[int]) -> str:
        """Text of `tokens`; special tokens are written out."""
        data = bytearray()
        for t in tokens:
            for letter in self.tokens[t]:
                data += bytes([self._bytes[letter]]) if letter in self._bytes else letter.encode()
        return data.decode("utf-8", "replace")


class Tokenizer(Vocabulary):
    """Text to tokens as well, by the native library (vocabulary only)."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._path = path

    @cached_property
    def _native(self) -> int:
        from llama_cpp import llama_cpp as lib

        self._log = lib.llama_log_callback(lambda _level, _text, _data: None)
        lib.llama_log_set(self._log, ctypes.c_void_p(0))
        lib.llama_backend_init()
        params = lib.llama_model_default_params()
        params.vocab_only = True
        model = lib.llama_model_load_from_file(str(self._path).encode(), params)
        if not model:
            raise OSError(f"cannot read the vocabulary of {self._path}")
        return lib.llama_model_get_vocab(model)

    def encode(self, text: str) -> list[int]:
        """Tokens of `text`, special tokens recognised."""
        from llama_cpp import llama_cpp as lib

        data = text.encode()
        size = len(data) + 8
        out = (ctypes.c_int32 * size)()
        n = lib.llama_tokenize(self._native, data, len(data), out, size, False, True)
        return list(out[:n])
