"""Messages from pasted text and from files: the good lines stay, the bad ones are told by their number."""

from __future__ import annotations

import json

from evals.line_files import LINE_LIMIT, Line, form_of, read_lines


def texts(content: bytes | str, form: str) -> list[tuple[int, str]]:
    return [(line.number, line.text) for line in read_lines(content, form).found]  # type: ignore[arg-type]


def test_pasted_text_is_one_message_a_line_and_empty_lines_keep_the_count() -> None:
    assert texts("buy milk\r\n\n  delete it  \n", "text") == [(1, "buy milk"), (3, "delete it")]


def test_a_csv_file_is_read_by_its_text_column_wherever_it_stands() -> None:
    assert texts(b'id,Text\n1,buy milk\n2,"one, two"\n', "csv") == [(2, "buy milk"), (3, "one, two")]
    assert texts("nr;message\n1;ciao\n", "csv") == [(2, "ciao")]


def test_a_csv_file_without_a_header_is_read_by_its_first_column() -> None:
    assert texts("buy milk\nshow my tasks\n", "csv") == [(1, "buy milk"), (2, "show my tasks")]


def test_a_row_of_several_lines_is_told_by_its_first() -> None:
    lines = read_lines('text\n"two\nlines"\n\nlast\n', "csv")
    assert [(line.number, line.text) for line in lines.found] == [(2, "two\nlines"), (5, "last")]


def test_bad_lines_are_told_by_number_and_the_others_are_kept() -> None:
    content = (
        b'{"text": "buy milk"}\nnot json\n{"text": 5}\n{"text": "x", "lang": "fr"}\n\n{"text": "\xff"}\n{"text": "ok"}'
    )
    lines = read_lines(content, "jsonl")
    assert [line.number for line in lines.found] == [1, 7]
    assert [problem.partition(":")[0] for problem in lines.problems] == ["line 2", "line 3", "line 4", "line 6"]
    assert "UTF-8" in lines.problems[-1]


def test_hostile_json_is_a_bad_line_and_no_crash() -> None:
    hostile = ("[" * 100_000, '{"text": "x", "tasks": 3}', '{"text": "x", "history": [1]}', '{"text": "x", "now": "z"}')
    lines = read_lines("\n".join(hostile), "jsonl")
    assert not lines.found
    assert len(lines.problems) == len(hostile)


def test_a_csv_row_without_its_text_is_a_bad_line() -> None:
    assert read_lines("id,text\n1,\n2\n3,ok\n", "csv").problems == (
        "line 2: there is no message in it",
        "line 3: there is no message in it",
    )


def test_a_line_of_the_batch_format_keeps_its_own_context() -> None:
    line = {"id": 7, "text": "delete it", "tasks": [{"title": "Milk"}], "lang": "en"}
    assert read_lines(json.dumps(line), "jsonl").found == (
        Line(1, "delete it", {"tasks": [{"title": "Milk"}], "lang": "en"}),
    )


def test_what_exceeds_the_limit_is_left_out_and_said() -> None:
    lines = read_lines("x\n" * (LINE_LIMIT + 5), "text")
    assert len(lines.found) == LINE_LIMIT
    assert lines.problems == ("line 10001 and what follows was left out: 10,000 lines are the most",)


def test_a_cell_that_an_export_neutralised_is_read_as_it_was() -> None:
    assert texts("text\n'=1+1\n'tis late\n", "csv") == [(2, "=1+1"), (3, "'tis late")]


def test_the_form_follows_the_name() -> None:
    assert [form_of(name) for name in ("a.CSV", "b.jsonl", "c.ndjson", "d.txt", "e")] == [
        "csv", "jsonl", "jsonl", "text", "text",
    ]  # fmt: skip
