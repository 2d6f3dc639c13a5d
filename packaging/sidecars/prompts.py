"""Prompts for the training answers: our own templates filled from word banks, and rules for what is kept.

The other half of the prompts is written by the model itself (`generate.py`): a user turn, sampled. Nothing
here may come near a held-out prompt: `near_duplicate` compares word trigrams.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import prompt_words as w

Maker = Callable[[random.Random], str]


def _pick(*templates: str) -> Maker:
    """A maker that chooses a template and fills its {fields}."""

    def make(r: random.Random) -> str:
        return _fill(r.choice(templates), r)

    return make


def _fill(template: str, r: random.Random) -> str:
    banks: dict[str, tuple[str, ...]] = {
        "subject": w.SUBJECTS,
        "other": w.SUBJECTS,
        "place": w.PLACES,
        "character": w.CHARACTERS,
        "mood": w.MOODS,
        "thing": w.THINGS,
        "job": w.PROFESSIONS,
        "language": w.LANGUAGES,
        "sentence": w.SENTENCES,
        "task": w.CODE_TASKS,
        "code": w.CODE_LANGUAGES,
        "concept": w.CODE_CONCEPTS,
        "goal": w.GOALS,
        "food": w.FOODS,
        "occasion": w.OCCASIONS,
        "name": w.NAMES,
        "name2": w.NAMES,
        "goods": w.GOODS,
    }
    values = {key: r.choice(bank) for key, bank in banks.items()}
    values.update(
        n=str(r.randint(2, 12)),
        a=str(r.randint(3, 60)),
        b=str(r.randint(2, 25)),
        big=str(r.randint(50, 990)),
        percent=str(r.choice((5, 8, 10, 12, 20, 25, 30, 40, 60, 75))),
    )
    text = template.format(**values)
    return text[0].upper() + text[1:]


_passages: list[str] = []


def use_passages(passages: list[str]) -> None:
    """Give the generator short texts (of earlier answers, say) to be summarised, corrected or translated."""
    _passages[:] = passages


def _passage(r: random.Random) -> str:
    if _passages:
        return r.choice(_passages)
    return " ".join(r.sample(w.SENTENCES, 3))


def _roughen(text: str, r: random.Random) -> str:
    """The text with a few careless mistakes in it."""
    words = text.split()
    for _ in range(max(1, len(words) // 8)):
        i = r.randrange(len(words))
        word = words[i]
        if len(word) > 3:
            j = r.randrange(len(word) - 1)
            words[i] = r.choice(
                (word[:j] + word[j + 1] + word[j] + word[j + 2 :], word[:j] + word[j + 1 :], word.lower())
            )
    return " ".join(words)


def _on_passage(*templates: str) -> Maker:
    def make(r: random.Random) -> str:
        return r.choice(templates).format(
            text=_passage(r), language=r.choice(w.LANGUAGES), mood=r.choice(w.MOODS)
        )

    return make


def _correction(r: random.Random) -> str:
    ask = r.choice(
        (
            "Correct this:",
            "Proofread the text below.",
            "Fix the mistakes:",
            "Please edit this for spelling:",
            "Clean up my draft:",
            "Improve the wording.",
        )
    )
    return f"{ask}\n\n{_roughen(_passage(r), r)}"


def _data(r: random.Random) -> str:
    people = r.sample(w.NAMES, 3)
    rows = [
        f"{p} {r.choice(('bought', 'sold', 'ordered', 'returned'))} {r.randint(2, 40)} {r.choice(w.GOODS)}"
        for p in people
    ]
    text = ", ".join(rows[:2]) + f" and {rows[2]}."
    ask = r.choice(
        (
            "Make a table from this:",
            "Turn this into JSON:",
            "Who has the most?",
            "List the names in this sentence:",
            "What numbers occur here?",
            "Sort these people by number:",
            "Write this as bullet points:",
        )
    )
    return f"{ask} {text}"


def _comparison(r: random.Random) -> str:
    a, b = r.sample(w.SUBJECTS, 2)
    return r.choice(
        (
            f"Compare {a} and {b}.",
            f"What do {a} and {b} have in common?",
            f"Which is more useful to know about, {a} or {b}?",
            f"Is there a link between {a} and {b}?",
        )
    )


MAKERS: dict[str, Maker] = {
    "coding": _pick(
        "Write a {code} program that {task}.",
        "Show me {code} code which {task}, with comments.",
        "I need a function in {code} that {task}. Keep it short.",
        "What is {concept}?",
        "When would I use {concept} in {code}?",
        "Give a small example of {concept}.",
        "Explain {concept} as if I were new to programming.",
        "Write tests for a function that {task}.",
        "My {code} script that {task} is slow. What could be the reason?",
        "How is {concept} different in {code}?",
        "Review this idea: a {code} tool that {task}.",
        "Common mistakes with {concept}?",
    ),
    "math": _pick(
        "What is {a} times {b}?",
        "Work out {big} divided by {b}.",
        "What is {percent}% of {big}?",
        "{name} has {a} {goods} and gives {b} of them to {name2}. How many are left?",
        "A box holds {n} {goods}. How many boxes are needed for {big} {goods}?",
        "Solve for x: {n}x + {a} = {big}.",
        "Find the average of {a}, {b} and {big}.",
        "A square has sides of {a} cm. What is its area?",
        "{name} walks {n} km in {b} minutes. How fast is that?",
        "Is {big} divisible by {n}? Explain.",
        "If {n} {goods} cost {a} dollars, what do {b} {goods} cost?",
        "Write {percent}% as a fraction.",
        "What is the next number: {n}, {a}, {big}, ...? Give a possible rule.",
        "What is {a} squared minus {b}?",
    ),
    "story": _pick(
        "Write a {mood} story about {character} in {place}.",
        "Tell me about {character} who finds {thing}.",
        "Continue: In {place}, {character} was waiting for {thing}.",
        "Write a {mood} ending for a tale about {thing}.",
        "Invent a legend about {thing} and {place}.",
        "Write a dialogue between {character} and {character}.",
        "Describe {place} through the eyes of {character}.",
        "A {mood} bedtime story with {character}, please.",
        "Write the first page of a novel set in {place}.",
        "What happens when {character} loses {thing}?",
    ),
    "poem": _pick(
        "Write a {mood} poem about {subject}.",
        "A haiku about {place}.",
        "Write four rhyming lines on {thing}.",
        "Compose a song about {character}.",
        "A limerick about {character}.",
        "Write a {mood} verse for {occasion}.",
    ),
    "qa": _pick(
        "What is known about {subject}?",
        "Who first studied {subject}?",
        "Why does {subject} matter?",
        "Where does the word for {subject} come from?",
        "When did people start to care about {subject}?",
        "What are the main parts of {subject}?",
        "Is it true that {subject} changed history?",
        "What is a surprising fact about {subject}?",
        "How is {subject} measured or judged?",
        "What do experts disagree about when it comes to {subject}?",
        "What would happen without {subject}?",
    ),
    "explain": _pick(
        "Explain {subject}.",
        "Explain {subject} to a child.",
        "How does {subject} work, in simple words?",
        "Teach me the basics of {subject} in five sentences.",
        "Use an everyday picture to explain {subject}.",
        "What should a beginner know about {subject}?",
        "Describe {subject} for a {job}.",
        "Clear up a common misunderstanding about {subject}.",
        "Write an encyclopedia entry on {subject}.",
    ),
    "compare": _comparison,
    "summary": _on_passage(
        "Summarise:\n{text}",
        "Give the main idea of this text: {text}",
        "In one sentence, what does this say? {text}",
        "TL;DR please.\n\n{text}",
        "Write a title for this: {text}",
        "List three key points from: {text}",
        "{text}\n\nShorten the above.",
        "What question does this text answer? {text}",
    ),
    "rewrite": _on_passage(
        "Rewrite this in a {mood} tone: {text}",
        "Make this shorter and clearer: {text}",
        "Say this more formally: {text}",
        "Put this into simple English: {text}",
        "Paraphrase: {text}",
        "Turn this into a letter: {text}",
        "Rewrite the following as a list.\n{text}",
        "{text}\n\nWrite this again for children.",
    ),
    "correct": _correction,
    "translate": _pick(
        "Translate to {language}: {sentence}",
        "What is '{sentence}' in {language}?",
        "Write three useful phrases in {language} for {place}.",
        "How do people say {food} in {language}?",
        "Teach me to count to ten in {language}.",
        "Translate this into {language} and explain each word: {sentence}",
    ),
    "lists": _pick(
        "List {n} facts about {subject}.",
        "Give me {n} ideas for {occasion}.",
        "Name {n} things found in {place}.",
        "{n} tips to {goal}.",
        "What are {n} books about {subject}?",
        "List the pros and cons of {subject}.",
        "Write a checklist for {occasion}.",
        "Suggest {n} titles for a story about {thing}.",
        "Give {n} questions to ask a {job}.",
        "What tools does a {job} need?",
        "Step by step: how to {goal}.",
    ),
    "advice": _pick(
        "I want to {goal}. Any advice?",
        "How do I {goal}?",
        "I tried to {goal} and failed. What now?",
        "What is the best way to {goal} on a small budget?",
        "My friend wants to {goal}. How can I help?",
        "Is it hard to {goal}?",
        "How long does it take to {goal}?",
        "What should I avoid when I {goal}?",
        "Make a one-week plan to {goal}.",
    ),
    "cooking": _pick(
        "How do I make {food}?",
        "A simple recipe for {food}.",
        "What goes well with {food}?",
        "I burned {food}. How do I save dinner?",
        "Make {food} without dairy.",
        "Write a shopping list for {food}.",
    ),
    "reasoning": _pick(
        "{name} is older than {name2}, and {name2} is older than Max. Who is the youngest?",
        "If it takes {n} people {a} minutes to carry {big} {goods}, what about twice as many people?",
        "{name} says {name2} is lying. {name2} says both are. Who tells the truth?",
        "Think step by step: can {character} carry {thing} through {place} unseen?",
        "Why might {subject} and luck be confused?",
        "Find the flaw: all {goods} are round, so everything round is {goods}.",
        "Today is the {n}th. What date is it in {b} days?",
        "Which does not belong: {goods}, {food}, {thing}?",
    ),
    "roleplay": _pick(
        "You are {character}. Introduce yourself.",
        "Act as a {job} and answer: how do I {goal}?",
        "Pretend we meet in {place}. You are {character}. Begin.",
        "Be a {mood} {job} and talk about {subject}.",
        "Interview {character} about {thing}.",
        "Play a {job} who is asked about {occasion}.",
    ),
    "letters": _pick(
        "Write an email about {occasion}.",
        "Write a {mood} message to {name} about {occasion}.",
        "Draft a reply to a complaint about {occasion}.",
        "Write a note to a {job} concerning {occasion}.",
        "Write an announcement for {occasion}.",
        "Write a review of {place}.",
        "Write an advert for {thing}.",
        "Compose a speech for {occasion}.",
        "Write a cover letter for a {job}.",
    ),
    "data": _data,
    "opinion": _pick(
        "What do you think of {subject}?",
        "Argue for and against {subject}.",
        "Should schools teach {subject}?",
        "Write a short essay on {subject} and {other}.",
        "Convince me that {subject} is interesting.",
        "Write a debate speech about {subject}.",
        "Is {subject} overrated?",
    ),
    "chat": _pick(
        "Hello! I am {name}.",
        "I am bored. Tell me something about {subject}.",
        "I had {food} for lunch today.",
        "Do you like {subject}?",
        "I feel {mood} today.",
        "Thanks, that helped. Now tell me about {subject}.",
        "Tell me a joke about a {job}.",
        "Ask me a riddle about {thing}.",
        "What would you do in {place}?",
        "My name is {name} and I am a {job}. Nice to meet you!",
        "I dreamed about {thing} last night.",
    ),
}


def make_prompts(seed: int) -> Iterator[tuple[str, str]]:
    """Endless (category, prompt) pairs; the same seed gives the same ones."""
    r = random.Random(seed)
    categories = list(MAKERS)
    while True:
        category = r.choice(categories)
        yield category, MAKERS[category](r)


def words_of(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def trigrams(text: str) -> frozenset[tuple[str, ...]]:
    """Word trigrams; a shorter text is one item."""
    words = words_of(text)
    if len(words) < 3:
        return frozenset([tuple(words)])
    return frozenset(zip(words, words[1:], words[2:], strict=False))


def read_heldout(path: Path) -> list[tuple[str, str]]:
    """(category, prompt) pairs of the held-out file."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [(d["category"], d["prompt"]) for d in map(json.loads, lines)]


class PromptFilter:
    """Lets a prompt through once, and never one that is close to a held-out prompt.

    Close: at least half of the trigrams of the shorter of the two occur in the other.
    """

    def __init__(self, heldout: list[str]) -> None:
        self._heldout = [trigrams(t) for t in heldout]
        self._index: dict[tuple[str, ...], list[int]] = {}
        for i, grams in enumerate(self._heldout):
            for g in grams:
                self._index.setdefault(g, []).append(i)
        self._seen: set[str] = set()

    def near_duplicate(self, text: str) -> bool:
        grams = trigrams(text)
        shared: dict[int, int] = {}
        for g in grams:
            for i in self._index.get(g, ()):
                shared[i] = shared.get(i, 0) + 1
        return any(2 * n >= min(len(grams), len(self._heldout[i])) for i, n in shared.items())

    def accept(self, text: str) -> bool:
        """Whether the prompt is usable; remembers it."""
        key = " ".join(words_of(text))
        if not key or key in self._seen or self.near_duplicate(text):
            return False
        self._seen.add(key)
        return True
