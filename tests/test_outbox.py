"""The outbox: in order, bounded; live diffs are dropped for a slow reader, answers never; a dead one is given up."""

import asyncio

import pytest

from simplesimon import outbox
from simplesimon.outbox import BYTES, FRAMES, MOST_BYTES, Gone, Outbox, Stuck


class Reader:
    """The other side: reads when it is told to."""

    def __init__(self):
        self.box = Outbox()
        self.read, self.empty = [], asyncio.Event()
        self.reads = asyncio.Event()
        self.reads.set()

    async def send(self, text):
        await self.reads.wait()
        self.read.append(text)

    def sending(self):
        return asyncio.create_task(self.box.send_all(self.send, self.empty.set))

    async def all_sent(self):
        self.empty.clear()
        self.box.nudge()
        await self.empty.wait()


class Owner:
    def __init__(self):
        self.dropped = 0

    def reseed(self):
        self.dropped += 1


@pytest.fixture
async def reader():
    return Reader()


async def test_frames_are_sent_in_the_order_they_were_put(reader):
    owner = Owner()
    for n in range(10):
        reader.box.put(str(n), owner if n % 2 else None)
    sending = reader.sending()
    await reader.all_sent()
    reader.box.put("later")
    await reader.all_sent()
    assert reader.read == [*map(str, range(10)), "later"]
    assert owner.dropped == 0
    sending.cancel()


async def test_too_many_diffs_are_dropped_and_their_owners_told_once(reader):
    first, second, idle = Owner(), Owner(), Owner()
    reader.box.put("answer")
    for n in range(FRAMES):
        reader.box.put(f"diff {n}", (first, second)[n % 2])
    assert (first.dropped, second.dropped) == (0, 0)
    reader.box.put("one more", first)
    reader.box.put("another answer")
    assert (first.dropped, second.dropped, idle.dropped) == (1, 1, 0)
    sending = reader.sending()
    await reader.all_sent()
    assert reader.read == ["answer", "another answer"]
    sending.cancel()


async def test_too_many_bytes_of_diffs_are_dropped(reader):
    owner = Owner()
    reader.box.put("x" * BYTES, owner)
    assert owner.dropped == 0
    reader.box.put("x", owner)
    assert owner.dropped == 1


async def test_answers_are_never_dropped_and_leave_the_diffs_their_room(reader):
    owner = Owner()
    for n in range(10 * FRAMES):
        reader.box.put(f"answer {n}")
    reader.box.put("diff", owner)
    sending = reader.sending()
    await reader.all_sent()
    assert (len(reader.read), owner.dropped) == (10 * FRAMES + 1, 0)
    sending.cancel()


async def test_what_was_sent_makes_room_again(reader):
    owner = Owner()
    sending = reader.sending()
    for _ in range(5):
        for n in range(FRAMES):
            reader.box.put(f"diff {n}", owner)
        await reader.all_sent()
    assert (len(reader.read), owner.dropped) == (5 * FRAMES, 0)
    sending.cancel()


async def test_more_answers_than_anybody_reads_are_the_end(reader):
    reader.reads.clear()
    sending = reader.sending()
    for _ in range(3):
        reader.box.put("x" * (MOST_BYTES // 2))
    await asyncio.sleep(0)
    reader.reads.set()
    with pytest.raises(Stuck):
        await sending


async def test_who_reads_nothing_is_given_up(reader, monkeypatch):
    monkeypatch.setattr(outbox, "STUCK_S", 0.01)
    reader.reads.clear()
    reader.box.put("unread")
    with pytest.raises(Stuck, match=r"0\.01 s"):
        await reader.sending()


async def test_who_is_gone_ends_the_sending(reader):
    async def send(_):
        raise Gone

    reader.box.put("to nobody")
    with pytest.raises(Gone):
        await reader.box.send_all(send, reader.empty.set)
