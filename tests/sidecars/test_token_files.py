"""The committed token files and the pieces that need no PyTorch."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import gguf
import numpy as np
import pytest
from answers import Answers, read_answers, write_answers
from chat import END, Vocabulary, render
from conversations import LENGTH, MAX_ANSWER, MIN_ANSWER, Conversations, Row
from loops import is_looping, loop_end
from paths import STATE
from prompts import PromptFilter
from shards import TOP_K, Sequence, Shard, list_shards, write_shard
from state import save_answers

from app.core.conversation import ChatMessage
from app.core.locations import default_draft
from app.engine.chat_template import ChatTemplate

VOCABULARY = 49152


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    sidecar = default_draft()
    assert sidecar is not None
    return Vocabulary(sidecar)


@pytest.mark.parametrize("path", sorted(STATE.glob("answers-*.npz")), ids=lambda p: p.name)
def test_committed_answers_are_whole_conversations(path: Path) -> None:
    answers = read_answers(path)
    assert len(answers.tokens) > 100
    assert len(answers.prompt_len) == len(answers.temperature) == len(answers.category) == len(answers.tokens)
    for tokens, prompt_len in zip(answers.tokens, answers.prompt_len, strict=True):
        assert 20 < prompt_len < len(tokens)
        assert int(tokens.max()) < VOCABULARY
    assert answers.temperature.count(0.0) > len(answers.tokens) / 3


def test_there_are_committed_answers() -> None:
    assert (STATE / "answers-v1.npz").exists()


def test_token_file_round_trip(tmp_path: Path) -> None:
    rows = [np.arange(30, dtype=np.uint16), np.arange(40, 90, dtype=np.uint16)]
    write_answers(tmp_path / "a.npz", Answers(rows, [10, 20], [0.0, 0.5], ["qa", "model"]))
    back = read_answers(tmp_path / "a.npz")
    assert [t.tolist() for t in back.tokens] == [t.tolist() for t in rows]
    assert (back.prompt_len, back.temperature, back.category) == ([10, 20], [0.0, 0.5], ["qa", "model"])


def _sequence(n: int, start: int) -> Sequence:
    rng = np.random.default_rng(n)
    features = rng.standard_normal((n, 5, 576)).astype(np.float16)
    ids = rng.integers(0, VOCABULARY, (n, TOP_K)).astype(np.uint16)
    logits = rng.standard_normal((n, TOP_K)).astype(np.float16)
    return Sequence(np.arange(start, start + n, dtype=np.uint16), 7, 0.0, features, ids, logits, "qa")


def test_new_answers_join_those_of_other_machines(tmp_path: Path) -> None:
    shards, path = tmp_path / "shards", tmp_path / "state" / "answers.npz"
    write_shard(shards / "gen01-0000", [_sequence(40, 10), _sequence(50, 12)])
    assert save_answers(shards, path) == (2, 33 + 43)
    shutil.rmtree(shards)
    write_shard(shards / "gen02-0000", [_sequence(50, 12), _sequence(60, 20)])
    write_shard(shards / "v1-0000", [_sequence(70, 20)])
    assert save_answers(shards, path) == (3, 33 + 43 + 53)
    assert [len(t) for t in read_answers(path).tokens] == [40, 50, 60]


def test_shards_hold_what_was_written_and_appear_whole(tmp_path: Path) -> None:
    made = [_sequence(12, 100), _sequence(31, 500)]
    (tmp_path / ".half.123.tmp").mkdir()
    write_shard(tmp_path / "s", made)
    assert [p.name for p in list_shards(tmp_path)] == ["s"]
    shard = Shard(tmp_path / "s")
    assert len(shard) == 2
    assert shard.answer_tokens == 12 + 31 - 14
    for i, q in enumerate(made):
        assert shard[i].tokens.tolist() == q.tokens.tolist()
        assert np.array_equal(shard[i].features, q.features)
        assert np.array_equal(shard[i].top_ids, q.top_ids)
        assert (shard[i].prompt_len, shard[i].category) == (7, "qa")


def test_decoding_gives_the_text_back(vocabulary: Vocabulary) -> None:
    longest_first = {t: i for i, t in enumerate(vocabulary.tokens)}
    assert (
        vocabulary.decode([longest_first["Hello"], longest_first["Ġworld"], longest_first["Ċ"]])
        == "Hello world\n"
    )
    assert vocabulary.decode([1, END]) == "<|im_start|><|im_end|>"


def test_the_format_is_the_templates_own() -> None:
    sidecar = default_draft()
    field = gguf.GGUFReader(str(sidecar)).fields["tokenizer.chat_template"].contents()
    template = ChatTemplate(field, "<|im_start|>", "<|im_end|>", "llama")
    assert template.render([ChatMessage("user", "Why?")]) == render("Why?")


def test_loops() -> None:
    text = list(range(100))
    assert not is_looping(text)
    assert loop_end(text) == 100
    looped = text + list(range(200, 216)) * 5
    assert loop_end(looped) == 100 + 3 * 16
    assert is_looping(looped[: 100 + 48])
    assert not is_looping(text + [7] * 10)
    assert is_looping(text + [7] * 24)


class _Prompts:
    """A source of one prompt and one starter."""

    prefix = [1, 2000, 2001]
    answer_prefix = [198, 1, 520, 9531, 198]

    def ours(self) -> tuple[str, list[int]]:
        return "qa", [*self.prefix, 3000, END, *self.answer_prefix]

    def starter(self, r: random.Random) -> list[int]:
        return [4000 + r.randrange(2)]


def _run(vocabulary: Vocabulary, steps: int, reply: int | None) -> tuple[Conversations, list[Row]]:
    conversations = Conversations(6, 1, _Prompts(), vocabulary, PromptFilter([]))
    finished: list[Row] = []
    rng = random.Random(1)
    for step in range(steps):
        tokens, positions = conversations.feed()
        assert len(tokens) == len(positions) == 6
        end = reply is not None and step % reply == reply - 1
        finished += conversations.advance([END if end else rng.randrange(100, 20_000) for _ in range(6)])
    return conversations, finished


def test_conversations_end_at_the_end_token(vocabulary: Vocabulary) -> None:
    conversations, finished = _run(vocabulary, 400, 30)
    assert len(finished) > 20
    assert {row.by_model for row in finished} == {False}
    for row in finished:
        assert row.tokens[:3] == _Prompts.prefix
        assert row.tokens[row.prompt_len - 5 : row.prompt_len] == _Prompts.answer_prefix
        assert row.tokens[row.prompt_len - 6] == END
        assert row.tokens[-1] == END
        assert MIN_ANSWER <= len(row.tokens) - row.prompt_len <= MAX_ANSWER + 1
    assert {"qa", "model"} == {row.category for row in finished}
    assert conversations.dropped < len(finished) * 3


def test_conversations_end_at_their_limits(vocabulary: Vocabulary) -> None:
    conversations, finished = _run(vocabulary, 500, None)
    assert conversations.dropped  # user turns that never end
    assert finished
    assert max(len(row.tokens) - row.prompt_len for row in finished) == MAX_ANSWER
    assert max(len(row.tokens) for row in finished) <= LENGTH
