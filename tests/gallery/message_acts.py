"""What has to happen before messages, the composer and the context look as in their pictures."""

from __future__ import annotations

from app.core.conversation import Attachment
from app.services import attachments
from app.ui.chat.reply_row import ReplyRow
from app.ui.chat.user_row import UserRow
from tests.gallery.engine import Scene
from tests.gallery.stage import Stage
from tests.gallery.texts import LONG_CHAT

THINKING = """\
<think>
The user wants the roots. I complete the square, then check the discriminant: for $a = 1$ it is $b^2 - 4c$.
Two real roots if that is positive.
</think>

For $ax^2 + bx + c = 0$ with $a \\ne 0$ the roots are

$$x_{1,2} = \\frac{-b \\pm \\sqrt{b^2 - 4ac}}{2a}$$

- They are real where $b^2 \\ge 4ac$, and equal where \\(b^2 = 4ac\\).
- Their sum is $-b/a$, their product $\\frac{c}{a}$ (as \\(\\sum_{i=1}^{2} x_i\\) shows).

```python
def roots(a: float, b: float, c: float) -> tuple[complex, complex]:  # both, complex ones too, on a long line
    root = cmath.sqrt(b * b - 4 * a * c)
    return (-b + root) / (2 * a), (-b - root) / (2 * a)
```

בעברית: הפונקציה `roots()` מחזירה שני שורשים (סכומם פשוט).
"""
QUESTION = "What are the roots of a quadratic equation?"


def scene() -> Scene:
    return Scene(THINKING)


def _start(stage: Stage) -> None:
    stage.open()
    stage.session.new_conversation()


def thought(stage: Stage) -> None:
    _start(stage)
    stage.say(QUESTION)
    _last(stage).tools.set_hovered(True)


def thought_open(stage: Stage) -> None:
    thought(stage)
    row = _last(stage)
    row.body.thoughts[0].header.click()
    stage.window.chat.messages.verticalScrollBar().setValue(0)


def thinking(stage: Stage) -> None:
    _start(stage)
    stage.say(QUESTION, wait=False)
    stage.wait(stage.engine.holding.is_set)
    stage.settle()


def versions(stage: Stage) -> None:
    thought(stage)
    assert stage.session.regenerate(_last(stage).message.id)
    stage.wait(lambda: not stage.controller.busy and stage.session.streaming is None)
    _last(stage).tools.set_hovered(True)


def editing(stage: Stage) -> None:
    thought(stage)
    row = stage.window.chat.messages.rows[0]
    assert isinstance(row, UserRow)
    row.edit()
    stage.window.chat.messages.verticalScrollBar().setValue(0)


def message_menu(stage: Stage) -> None:
    _last(stage)._open_menu()


def details(stage: Stage) -> None:
    stage.window.chat_binder.show_details(_last(stage).message)


def find(stage: Stage) -> None:
    thought(stage)
    stage.window.chat.open_find()
    stage.window.chat.find_bar.field.setText("root")
    stage.settle()


def attached(stage: Stage) -> None:
    _start(stage)
    composer = stage.window.chat.composer
    composer.attach(Attachment("roots.py", "def roots(a, b, c):\n    return None\n" * 20))
    composer.attach(Attachment("a very long name of a file that somebody has attached.txt", "words " * 300))
    composer.set_text("What is wrong here?")
    stage.settle()


def attached_many(stage: Stage) -> None:
    attached(stage)
    for i in range(8):
        name = f"chapter {i + 1} of the manuscript.txt"
        stage.window.chat.composer.attach(Attachment(name, "words " * 100 * (i + 1)))
    stage.settle()


def refused_file(stage: Stage) -> None:
    attached(stage)
    photo = stage.models.parent / "photo.jpg"
    photo.write_bytes(b"\xff\xd8\xff\xe0\x00\x10JFIF\x00")
    refused = attachments.read_file(photo)
    assert isinstance(refused, str)
    stage.window.chat.composer.refuse(refused)


def snippets(stage: Stage) -> None:
    stage.state.update(
        snippets={
            "Explain to a child": "Explain this so that a child of ten understands:\n\n",
            "Proofread": "…",
        }
    )
    stage.window.draft_binder.edit_snippets()


def snippet_menu(stage: Stage) -> None:
    stage.state.update(snippets={"Explain to a child": "…", "Proofread": "…"})
    stage.window.chat.composer.open_snippets()


def _talk(stage: Stage) -> None:
    long_id = stage.put("Everything about rollbacks", LONG_CHAT)
    stage.open()
    stage.session.open(long_id)
    stage.wait(lambda: stage.session.current is not None and len(stage.session.current.messages) == 12)


def overflow(stage: Stage) -> None:
    _talk(stage)
    stage.window.chat.composer.set_text("And how long may a conversation become?")
    stage.window.chat.context_choice.ask()


def left_out(stage: Stage) -> None:
    _talk(stage)
    current = stage.session.current
    assert current is not None
    path = current.path()
    stage.session.leave_out(path[3].id)
    summary = "A rollback takes rejected drafts out of the cache. On hybrid models it costs more."
    stage.session.leave_out(path[7].id, summary)
    stage.window.chat.messages.verticalScrollBar().setValue(0)


def _last(stage: Stage) -> ReplyRow:
    row = stage.window.chat.messages.rows[-1]
    assert isinstance(row, ReplyRow)
    return row
