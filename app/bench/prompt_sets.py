"""The built-in prompts: one long-form default and three sets."""

from __future__ import annotations

from app.bench.prompts import BenchPrompt

DEFAULT = BenchPrompt(
    "Write a long and detailed article about how bread is made, from the field to the table. Begin with "
    "the grain and its harvest, go on with milling, mixing, rising and baking, and end with how people "
    "eat bread in different parts of the world. Use full paragraphs.",
    "long-form",
)

_BUILTIN = {
    "coding": (
        "Write a Python function that tells whether a text reads the same forwards and backwards, "
        "ignoring case and spaces.",
        "Write a JavaScript function that groups a list of objects by the value of one key.",
        "Explain what this line does and rewrite it more simply: "
        "xs = [x for x in map(lambda y: y * 2, ys) if not x % 3]",
    ),
    "math": (
        "A tank holds 240 litres and loses 5 litres an hour. After how many hours is a quarter left?",
        "Solve 3x + 7 = 2(x + 9) and show each step.",
        "A shop sells pens at 1.20 each and gives one free for every five bought. What do 18 pens cost?",
    ),
    "writing": (
        "Write the opening paragraph of a story that begins in an empty railway station at night.",
        "Write a friendly note to a neighbour asking to borrow a ladder on Saturday.",
        "Describe a thunderstorm over a harbour in eight sentences.",
    ),
    "Q&A": (
        "Why does the moon show us always the same side?",
        "What is the difference between a virus and a bacterium?",
        "How do noise-cancelling headphones work?",
    ),
    "reasoning": (
        "Anna is older than Ben, Ben is older than Carla, and Dora is younger than Carla. Who is the second "
        "oldest? Explain.",
        "All the lamps in the hall went out, but the radio kept playing. Name three possible reasons and say "
        "which is most likely.",
        "A farmer must bring a fox, a hen and a sack of grain over a river in a boat for two. How?",
    ),
    "summarisation": (
        "Summarise in two sentences: The town library closed its reading room for a year to replace the "
        "roof. Loans went on from a container in the car park, and to the surprise of the staff more young "
        "readers came than before. When the room opened again, the container stayed as a children's branch.",
        "Give three bullet points: Our trial of shorter meetings ran for six weeks. Meetings went down from "
        "60 to 25 minutes on average. Decisions were written down more often, but two teams said that new "
        "colleagues had trouble following. We will go on, with a longer meeting on the first Monday.",
        "Say in one sentence what this is about: A beaver family moved into a ditch beside the railway. "
        "Their dam flooded the line twice. Engineers first removed the dam, and the beavers built it again; "
        "now a pipe through the dam keeps the water low, and both sides stay.",
    ),
    "translation": (
        "Translate into French: The bakery opens at six, but the good rolls are gone by half past seven.",
        "Translate into German: Could you tell me which platform the night train leaves from?",
        "Translate into Spanish: We planted the tree the year our daughter was born.",
    ),
    "copy-edit": (
        "Correct the mistakes and change nothing else: Yesterday we has visited the museum, it's collection "
        "of clocks are famous and we seen more then two hundred of them.",
        "Copy this text and replace every \"client\" by \"customer\": The client signs the form. If the "
        "client is not at home, leave a card for the client and call the client in the evening.",
        "Put this into the past tense and keep the wording: The ferry leaves the island at noon, crosses the "
        "bay, waits for the mail and returns before dark.",
    ),
}  # fmt: skip

_COPY_EDIT = (
    "Copy the following text and correct only the spelling: The comittee met on Tuesday in the old libary "
    "to discus the new bridge. Several residents said that the bridge was nesessary, because the ferry runs "
    "only twice a day and is often cancelled in bad wheather. Others feared that the trafic would spoil the "
    "quiet of the village. In the end the comittee decided to ask an enginear for a second opinion.",
    "Repeat this code and rename the variable \"total\" to \"price\" everywhere:\n"
    "def add_items(items):\n    total = 0\n    for item in items:\n        total = total + item.amount\n"
    "    if total > 100:\n        total = total - 5\n    print(\"total\", total)\n    return total",
    "Copy this list and add the word \"fresh\" before every fruit: two kilos of apples, one kilo of pears, "
    "half a kilo of cherries, three lemons, one melon, two kilos of plums, four oranges and some grapes.",
    "Write this letter again, word for word, with \"Monday\" instead of \"Friday\": Dear Ms Holm, thank you "
    "for your letter. On Friday our workshop is closed in the morning, but on Friday afternoon we will look "
    "at your boat. If Friday does not suit you, please call us. The repair should be finished a week after "
    "Friday. Yours sincerely, Peter Lind",
    "Repeat the following paragraph exactly, and then repeat it once more: The river rises in the hills, "
    "runs through three lakes and reaches the sea beside the harbour. In spring it carries snow water, in "
    "summer children cross it on foot.",
    "Turn this table into the same table with the columns swapped, and keep every value: name, age, town; "
    "Ida, 34, Bergen; Omar, 29, Lyon; Ruth, 61, Leeds; Tomas, 45, Brno; Wen, 38, Ghent; Zoe, 52, Turin.",
)  # fmt: skip

_LONG_PROSE = (
    "Write a long essay about why people climb mountains. Use full paragraphs and no lists.",
    "Tell a long story about a clockmaker who repairs a clock that runs backwards.",
    "Write a detailed chapter on the life of a medieval monastery through one year.",
    "Describe a day in a large fish market from before dawn to closing time, at length.",
    "Write a long letter from a lighthouse keeper to a friend in the city.",
    "Explain at length how a city gets its drinking water, for a reader without technical knowledge.",
)

SETS = {
    "builtin": tuple(BenchPrompt(text, name) for name, texts in _BUILTIN.items() for text in texts),
    "copy-edit": tuple(BenchPrompt(text, "copy-edit") for text in _COPY_EDIT),
    "long-prose": tuple(BenchPrompt(text, "long prose") for text in _LONG_PROSE),
}
