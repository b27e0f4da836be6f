"""What is said in the benchmark, and the tasks it is said about. The same each time."""

from __future__ import annotations

import random
from itertools import product

from engine.values import Task

_VERBS = "buy|call|email|review|plan|book|clean|fix|order|renew|sort|paint|print|write|read"
_THINGS = (
    "milk|the plumber|Sarah|the budget|the garage|flights|the printer|passport photos|the invoice|new chairs|"
    "the newsletter|the slides|Anna's present|the contract|the bike|winter tyres|the attic|the website|two lamps|"
    "the dentist|the report|the kitchen|the lease|concert tickets|the fence"
)
_LINKS = "for|with|before|after|about|because of|near|without|instead of|like"
_CAUSES = (
    "Monday|the trip|Leo|the audit|lunch|the move|Rome|the team|winter|the party|Globex|the meeting|school|"
    "the holidays|Oslo|the neighbours|dinner|the review|the wedding|Acme|the visit|the exam|Berlin|"
    "the landlord|the launch|Zoe|the picnic"
)

# {name} is a task in reach; with no tasks in reach, it is nobody's.
SENTENCES: tuple[str, ...] = (
    "add a task to water the orchids",
    "please add a task to call the insurance tomorrow",
    "remind me to send the forms by Friday at 5 pm",
    "create a task called Fix the shed with description bring nails",
    "add buy bread and butter",
    "I need to renew the parking permit",
    "new task: sharpen the knives",
    "show my tasks",
    "show me my overdue tasks",
    "what do I have to do today",
    "list my completed tasks",
    "show high priority tasks",
    "how many tasks do I have",
    "search my tasks for Rome",
    "complete {name}",
    "mark {name} as done",
    "check off {name}",
    "I'm done with {name}",
    "complete task 7",
    "delete {name}",
    "remove {name} from my list",
    "delete task 3",
    "get rid of {name}",
    "rename {name} to something better",
    "move {name} to Thursday",
    "change the priority of {name} to high",
    "set the due date of {name} to March 10",
    "who am I",
    "what's my name",
    "hello there",
    "what's the capital of Portugal",
    "turn off the kitchen lights",
    "don't delete {name}",
    "how do I add a task?",
    "play some jazz in the living room please",
    "the weather is nice today",
)


def make_tasks(count: int) -> tuple[Task, ...]:
    """Titles such as "call the plumber before the trip", no two alike; there are 101,250 of them."""
    parts = list(product(_VERBS.split("|"), _THINGS.split("|"), _LINKS.split("|"), _CAUSES.split("|")))
    random.Random(1).shuffle(parts)  # else the first thousand would all begin alike
    numbered = zip(range(1, count + 1), map(" ".join, parts), strict=False)
    return tuple(Task(f"task-{number}", number, title) for number, title in numbered)


def make_messages(tasks: tuple[Task, ...]) -> tuple[str, ...]:
    """Every sentence, those about a task with three tasks from all over the list."""
    names = [task.title for task in tasks] or ["call the plumber before the trip"]
    places = (0, len(names) // 2, len(names) - 1)
    messages = (sentence.format(name=names[place]) for sentence in SENTENCES for place in places)
    return tuple(dict.fromkeys(messages))
