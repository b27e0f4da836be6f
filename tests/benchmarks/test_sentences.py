"""What the benchmark says is the same each time, and its tasks are told apart by their titles."""

from __future__ import annotations

from benchmarks.sentences import SENTENCES, make_messages, make_tasks


def test_a_hundred_thousand_tasks_have_titles_of_their_own() -> None:
    tasks = make_tasks(100_000)
    assert len({task.title for task in tasks}) == len({task.id for task in tasks}) == 100_000
    assert make_tasks(100) == tasks[:100]


def test_sentences_about_a_task_name_tasks_from_all_over_the_list() -> None:
    tasks = make_tasks(10)
    messages = make_messages(tasks)
    named = sum("{name}" in sentence for sentence in SENTENCES)
    assert len(messages) == len(SENTENCES) + 2 * named
    assert f"delete {tasks[-1].title}" in messages
    assert len(make_messages(())) == len(SENTENCES)
