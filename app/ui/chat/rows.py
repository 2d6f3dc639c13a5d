"""The row that fits a message."""

from __future__ import annotations

from app.core.conversation import USER, Message
from app.ui.chat.message_row import MessageRow
from app.ui.chat.reply_row import ReplyRow
from app.ui.chat.user_row import UserRow


def make_row(message: Message) -> MessageRow:
    return UserRow(message) if message.role == USER else ReplyRow(message)
