"""Word banks of the prompt generator: what the templates in `prompts.py` are filled with."""

from __future__ import annotations


def _split(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.replace("\n", " ").split(";") if part.strip())


SUBJECTS = _split("""
tides; volcanoes; glaciers; coral reefs; earthquakes; the water cycle; black holes; comets; the phases of
the moon; gravity; magnetism; static electricity; nuclear fusion; the periodic table; acids and bases;
rust; fermentation; crystals; soap; antibiotics; the immune system; blood pressure; sleep; memory; the
human eye; digestion; allergies; DNA; cell division; evolution; hibernation; bird migration; camouflage;
pollination; mushrooms; spiders; octopuses; whales; dinosaurs; fossils; plate tectonics; deserts;
rainforests; wetlands; soil; compost; recycling; solar panels; wind turbines; batteries; electric cars;
bridges; tunnels; clocks; microscopes; telescopes; the printing press; radio; fibre optics; satellites;
GPS; bar codes; encryption; passwords; computer viruses; cloud storage; compilers; operating systems;
databases; machine learning; neural networks; spreadsheets; video compression; 3D printing; robots; the
Silk Road; the Renaissance; the Industrial Revolution; the Black Death; Ancient Egypt; the Aztecs; the
Vikings; the Ottoman Empire; the French Revolution; the Cold War; the Moon landing; the Great Depression;
women's suffrage; the Olympic Games; the Berlin Wall; Roman roads; medieval castles; samurai; the
invention of paper; supply and demand; interest rates; taxes; insurance; stock markets; budgets; trade;
unemployment; banks; pensions; democracy; constitutions; courts; elections; human rights; propaganda;
philosophy; stoicism; ethics; logic; irony; metaphors; sonnets; haiku; jazz; opera; the blues; drums; the
piano; photography; impressionism; pottery; knitting; architecture; film editing; animation; theatre;
chess; tennis; cricket; marathon running; swimming; yoga; cycling; mountaineering; first aid; nutrition;
vitamins; bread; cheese; chocolate; tea; coffee; olive oil; spices; rice; gardening; beekeeping; dogs;
horses; goldfish; public speaking; teamwork; leadership; negotiation; time zones; maps; languages;
handwriting; proverbs; festivals; etiquette; friendship; loneliness; curiosity; patience; luck
""")

PLACES = _split("""
a fishing village; a railway station; an attic; a desert town; a bakery; a space station; an old theatre;
a night bus; a mountain hut; a harbour; a hospital waiting room; an island; a school playground; a flooded
street; a greenhouse; a library basement; a castle; a farm at harvest time; an airport; a roadside diner;
a forest clearing; a circus tent; a laundromat; a museum at night; a snowbound cabin; a crowded market; a
courtroom; a ferry; a vineyard; a rooftop
""")

CHARACTERS = _split("""
a retired teacher; a young inventor; a lost tourist; a clockmaker; a talking crow; a nervous knight; a
night nurse; twin brothers; a stubborn mule; a robot gardener; a street musician; a taxi driver; a
forgetful wizard; a mapmaker; a beekeeper; a shy giant; a chess champion; a runaway princess; a postman; a
deep-sea diver; an astronaut; a fox; a widow with a secret; a boy who cannot lie; a failed magician; a
truck driver; a queen in disguise; a goldsmith
""")

MOODS = _split("""
funny; sad; hopeful; mysterious; calm; angry; romantic; spooky; serious; silly; nostalgic; dramatic; dry;
warm
""")

THINGS = _split("""
a lost key; a broken watch; an unopened letter; a red umbrella; a secret recipe; a paper boat; a stolen
painting; a music box; a wooden horse; a lantern; a pair of boots; a map with a hole in it; a silver
spoon; a torn photograph; a violin; a snow globe; a diary; a jar of buttons; a compass; a birthday cake;
an old radio; a chess piece; a kite
""")

PROFESSIONS = _split("""
doctor; chef; plumber; lawyer; gardener; pilot; librarian; carpenter; nurse; journalist; tailor; farmer;
architect; firefighter; history teacher; fitness coach; travel guide; accountant; blacksmith; astronomer;
judge; shopkeeper
""")

LANGUAGES = _split("French; Spanish; German; Italian; Portuguese; Dutch; Latin; Swedish")

SENTENCES = _split("""
Where can I buy a ticket?; The weather is lovely today.; I have lost my keys.; My brother lives in the
city.; We will meet at eight o'clock.; This soup is too salty.; Can you help me with my luggage?; She has
two children.; I do not understand the question.; The shop closes at noon on Sundays.; How much does this
shirt cost?; The children are playing in the garden.; I would like to book a room for two nights.; He
works in a bank.; There is a spider in the bathroom.; They arrived late because of the snow.; What time
does the film start?; Please close the window.; My favourite colour is green.; The doctor will see you
now.; We walked along the river.
""")

CODE_TASKS = _split("""
reverses a string; checks whether a number is prime; counts the words in a text; finds the largest value
in a list; removes duplicates from a list; computes a factorial; prints the Fibonacci numbers below 100;
sorts a dictionary by value; reads a CSV file and sums one column; checks whether a word is a palindrome;
converts Celsius to Fahrenheit; finds the second smallest number; flattens a nested list; counts how often
each letter occurs; rotates a list by k places; validates an e-mail address; generates a random password;
computes the average of a list; finds common elements of two lists; converts a number to binary;
implements binary search; implements bubble sort; implements a stack; implements a queue with two stacks;
reverses a linked list; computes the greatest common divisor; transposes a matrix; multiplies two
matrices; checks balanced brackets; capitalises every word; finds missing numbers in a range; splits a
list into chunks; groups people by age; rolls dice a thousand times; counts lines in a file; downloads a
page; parses a date; draws a triangle of stars; plays rock, paper, scissors; guesses a number; keeps a
to-do list; computes compound interest; encodes a Caesar cipher; merges two dictionaries; finds anagrams;
checks for leap years; times a function; retries a failing call; caches results; logs errors to a file;
shuffles a deck of cards; finds the longest word
""")

CODE_LANGUAGES = _split("Python; JavaScript; Java; C; C++; Go; Rust; TypeScript; Ruby; PHP; SQL; Bash; C#")

CODE_CONCEPTS = _split("""
recursion; closures; inheritance; a hash table; pointers; garbage collection; unit tests; version control;
a REST API; a lambda function; exceptions; generators; decorators; threads; a deadlock; Big-O notation; a
linked list; a binary tree; dynamic programming; a foreign key; an index in a database; a transaction;
JSON; regular expressions; CSS grid; the DOM; cookies; HTTP status codes; DNS; a container; continuous
integration; a pure function; immutability; type hints; interfaces; dependency injection; a message queue;
caching; Unicode; floating-point rounding; a memory leak
""")

GOALS = _split("""
sleep better; save money; learn the guitar; make new friends; eat less sugar; write a novel; get up
earlier; pass an exam; keep a tidy desk; learn a language; drink more water; read more books; calm down
before a speech; train a puppy; grow tomatoes on a balcony; cook for one; plan a wedding; move to another
country; fix a squeaky door; clean an oven; choose a laptop; buy a used car; care for a cactus; deal with
a rude customer; ask for a raise; apologise to a friend; take better photographs; start a small business;
work from home; paint a room; pack a suitcase; remember names; prepare for a long flight; stop biting my
nails; meditate; host a dinner; teach a child to ride a bike; make a budget; write a CV; stay focused;
organise a garage; repair a bicycle chain; knit a scarf; start a podcast; run ten kilometres
""")

FOODS = _split("""
tomato soup; fried rice; an apple pie; lentil curry; an omelette; vegetable stew; flatbread; a chocolate
cake; potato salad; mushroom risotto; chicken noodles; banana bread; guacamole; roast carrots; fish tacos;
dumplings; porridge
""")

OCCASIONS = _split("""
a birthday party; a job offer; a delayed delivery; a missed appointment; a team meeting; a school trip; a
broken printer; a refund; a farewell lunch; a new website; a conference talk; a lost parcel; a holiday
request; a rent increase; a charity run; an overdue invoice; a book club; a software update; a flat
viewing; a recommendation
""")

NAMES = _split(
    "Ava; Omar; Lena; Victor; Mei; Jonas; Priya; Samuel; Ingrid; Rosa; Theo; Nadia; Hugo; Clara; Idris; Nora"
)

GOODS = _split(
    "pencils; oranges; tickets; stamps; marbles; books; eggs; chairs; cookies; tulips; bottles; coins"
)

STARTERS = _split("""
How; How do I; How can; How does; How many; What; What is; What are; What is the difference between; What
if; Why; Why do; When; Where; Who; Which; Can you; Can you explain; Could you; Could you help me; I; I am;
I have; I need; I want to; I'm; I've been; I just; My; We; Is; Is it; Are there; Do you; Does; Should I;
Write; Write a; Write an; Write a short; Write a Python; Write a story; Write a poem; Write a function;
Write an email; Create; Create a; Generate; Give me; Give an example of; List; List some; Name; Tell me;
Tell me about; Explain; Explain the; Describe; Describe a; Compare; Summarize; Summarize the following;
Translate; Translate the following; Rewrite; Rewrite the; Edit; Correct; Fix; Convert; Calculate; Find;
Solve; Suggest; Recommend; Design; Develop; Discuss; Analyze; Identify; Classify; Extract; Complete;
Imagine; Pretend; You are; Act as; Let's; Let; If; In; In the; On; For; A; An; The; There; Given;
Consider; Suppose; Please; Hello; Hi; Hey; Thanks; Okay; As a; Based on; Provide; Make; Help me; Here is;
This; Read; Look at; Choose; Determine; Prove; Implement; Using; Add; Construct; Formulate; Outline; Plan;
Draft; Compose; Come up with; Think of; Tell; Show; Teach me; Good; Does the; Have you; Will; Would; Was;
Were; Did
""")
