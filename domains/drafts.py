"""A draft of a policy: the files of a language folder with edits made to them, tried before anything is saved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from domains.loading import find_bases, find_folder, load_domain
from engine.editing.edits import Edit
from engine.editing.texts import Texts, apply_edit, changed_files, write_diff
from engine.policy.loading import Policy, load_policy_folder
from engine.policy.origin import list_files
from engine.policy.reusing import share_tables


@dataclass(frozen=True)
class PolicyDraft:
    """Made by `begin_draft`; `edit` makes the next one. Equal drafts have equal digests."""

    domain: str
    language: str
    base: Policy = field(repr=False)
    """What it was made from."""
    before: Texts = field(repr=False)
    after: Texts = field(repr=False)
    policy: Policy = field(repr=False)
    """The policy that the texts afterwards are; sound, or there would be no draft."""
    edits: tuple[Edit, ...] = ()

    @property
    def digest(self) -> str:
        return self.policy.digest

    @property
    def changed(self) -> tuple[str, ...]:
        return changed_files(self.before, self.after)

    @property
    def diff(self) -> str:
        return write_diff(self.before, self.after)

    def edit(self, *edits: Edit) -> PolicyDraft:
        """The draft with these edits as well. EditError: one cannot be made; PolicyError: what comes of it is no
        policy, with the file and line of everything that is wrong."""
        draft = self
        for edit in edits:
            after = apply_edit(draft.after, edit, draft.policy)
            draft = replace(draft, after=after, policy=draft._load(after), edits=(*draft.edits, edit))
        return draft

    def _load(self, texts: Texts) -> Policy:
        return share_tables(self.policy, load_texts(self.domain, self.language, texts))


def read_texts(domain: str, language: str) -> dict[str, str]:
    """The files of a language folder as they are on disk now."""
    files = list_files(find_folder(domain) / language)
    return {name: path.read_text(encoding="utf-8") for name, path in files.items()}


def load_texts(domain: str, language: str, texts: Texts) -> Policy:
    """The policy that these files would be. PolicyError says what is wrong with them, by file and line."""
    folder = find_folder(domain) / language
    return load_policy_folder(folder, load_domain(domain).catalogue, find_bases(folder), texts)


def begin_draft(domain: str, language: str, texts: Mapping[str, str] | None = None) -> PolicyDraft:
    """A draft without an edit, over the files on disk, or over those of a version."""
    before = read_texts(domain, language) if texts is None else dict(texts)
    policy = load_texts(domain, language, before)
    return PolicyDraft(domain, language, policy, before, before, policy)


def rebase(draft: PolicyDraft, texts: Mapping[str, str]) -> PolicyDraft:
    """The same edits over other files: somebody saved another change meanwhile. EditError where one of them does not
    go with it any more."""
    return begin_draft(draft.domain, draft.language, texts).edit(*draft.edits)
