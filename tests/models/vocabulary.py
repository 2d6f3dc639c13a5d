"""The vocabulary of the tiny models: byte-level BPE with a few merges and four special tokens."""

from __future__ import annotations

from dataclasses import dataclass

from gguf import GGUFWriter, TokenType

END_OF_TEXT, IM_START, IM_END, MASK = 0, 1, 2, 3
SPECIALS = ("<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|mask|>")

# Every merge makes one token; the parts are bytes or earlier merges.
MERGES = (
    "Ġ t", "h e", "Ġ a", "i n", "e r", "Ġt he", "o n", "r e", "Ġ s", "a t", "e n", "Ġ w", "o r", "i s",
    "Ġ o", "Ġo f", "in g", "Ġa n", "Ġan d", "Ġ i", "u s", "Ċ Ċ", "l l",
)  # fmt: skip

CHAT_TEMPLATE = (
    "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\n' + message['content']"
    " + '<|im_end|>' + '\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)


def byte_symbols() -> list[str]:
    """The character that byte-level BPE writes for each of the 256 bytes."""
    plain = [*range(ord("!"), ord("~") + 1), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    symbols = {byte: chr(byte) for byte in plain}
    spare = 0x100
    for byte in range(256):
        if byte not in symbols:
            symbols[byte] = chr(spare)
            spare += 1
    return [symbols[byte] for byte in range(256)]


@dataclass(frozen=True)
class Vocabulary:
    """`tokens` by id. `ring` lists the ids a model runs through, in order; the rest never come up."""

    tokens: tuple[str, ...]
    merges: tuple[str, ...]
    ring: tuple[int, ...]


def make_vocabulary(ends: bool = False) -> Vocabulary:
    """288 tokens: 4 specials, 256 bytes, the merges, padding. With `ends`, `<|im_end|>` is on the ring.

    The ring goes through letters, merges, three characters of two to four bytes each, and the other
    printable bytes, so that text shows words, signs and characters split over tokens.
    """
    symbols = byte_symbols()
    joined = [m.replace(" ", "") for m in MERGES]
    tokens = [*SPECIALS, *symbols, *joined]
    ids = {token: i for i, token in enumerate(tokens)}
    letters = [ids[chr(c)] for c in range(ord("a"), ord("z") + 1)]
    merged = [ids[token] for token in joined]
    many_bytes = [[ids[symbols[b]] for b in char.encode()] for char in ("é", "日", "😀")]
    others = [ids[symbols[b]] for b in range(0x20, 0x7F) if not chr(b).islower()]
    ring = [*letters[:13], *many_bytes[0], *merged[:12], *letters[13:], *many_bytes[1], *merged[12:]]
    ring += [*others[:30], *many_bytes[2], *others[30:]]
    if ends:
        ring.insert(60, IM_END)
    tokens += [f"<|unused_{i}|>" for i in range(288 - len(tokens))]
    return Vocabulary(tuple(tokens), MERGES, tuple(ring))


def write_vocabulary(
    writer: GGUFWriter, vocabulary: Vocabulary, mask_token: int | None = None, chat_template: bool = True
) -> None:
    """The tokenizer keys; a sidecar has the target's and a mask token besides."""
    special = set(SPECIALS)
    types = [
        TokenType.CONTROL if token in special or token.startswith("<|unused_") else TokenType.NORMAL
        for token in vocabulary.tokens
    ]
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("smollm")
    writer.add_token_list(list(vocabulary.tokens))
    writer.add_token_types(types)
    writer.add_token_merges(list(vocabulary.merges))
    writer.add_bos_token_id(IM_START)
    writer.add_eos_token_id(IM_END)
    writer.add_add_bos_token(False)
    if chat_template:
        writer.add_chat_template(CHAT_TEMPLATE)
    if mask_token is not None:
        writer.add_mask_token_id(mask_token)
