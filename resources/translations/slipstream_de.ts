<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
    <context>
        <name>AboutDialog</name>
        <message>
            <source>A local chat that shows what speculative decoding does on your machine.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>About Slipstream</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Backend</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Close</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Copy</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Copy all of this, for a report.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Licence</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Native library</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Python</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Qt</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>System</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Version</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>known once a model is loaded</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>AppearancePage</name>
        <message>
            <source>Appearance</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Figures beside the conversation while it goes on.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>How the window looks.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Light, dark, or what the system uses.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Show the live panel</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Theme</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>dark</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>light</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>system</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>BarChart</name>
        <message>
            <source>ordinary</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>speculative</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>tok/s</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>BenchBinder</name>
        <message>
            <source>All files (*)</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Choose a file with prompts</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Choose another folder.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Save CSV</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Save JSON</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Save picture</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Text and JSON lines (*.txt *.jsonl *.json)</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The benchmark of %1 was deleted</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>“%1” could not be saved.</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>BenchView</name>
        <message>
            <source>Back to the chat</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Back to the chat (Esc)</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Benchmark</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Find out in minutes whether speculation pays on this machine, on what kind of text, and with which draft length.</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>Benchmark</name>
        <message>
            <source> (the fastest of {n})</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>(none)</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>1 pair of runs</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>95 % interval {of}: {low} to {high}, from {pairs}.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>All prompts</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Draft lengths lie between 1 and {n}.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>From {pairs}: they differ too much to tell how sure this is. Use more runs.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>From {pairs}: too few to tell how sure this is. Use more runs.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Neither a speedup nor a slowdown is claimed.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>No speedup could be measured</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The replies were too short.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Write lengths as 1,2,4 or 1-7.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>about {n} min left</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>about {n} s left</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>for a repeat</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>for prompts like these</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>length {length}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>not measured</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>{n} pairs of runs</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>{ordinary} ordinary, {speculative} speculative; {accepted} of the drafts accepted, {length}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>{ratio} faster</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>{ratio}, not certain</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>{ratio}: slower</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>{ratio}: within noise</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>{verdict} (stopped early)</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>Chart</name>
        <message>
            <source>Arrow keys read the values.</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>ChatBinder</name>
        <message>
            <source>Choose a target model first.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>No model is loaded.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>“%1” was deleted</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>CodeText</name>
        <message>
            <source>Code</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>CodeView</name>
        <message>
            <source>Copy code</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>text</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>Commands</name>
        <message>
            <source>About Slipstream</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Benchmark</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Break the line</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Choose a sidecar file</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Choose a target file</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Conversation above</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Conversation below</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Conversations</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Delete (in the list)</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Go to the message field</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Jump to the latest message</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Keyboard shortcuts</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Larger text</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Load the pair again</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Messages</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Models</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>New chat</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Next part of the window</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Normal text</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Quit</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Rename the conversation</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Search conversations</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Send</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Settings</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Show or hide drafts in all replies</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Show or hide the conversations</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Show or hide the live panel</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Smaller text</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Stop the reply</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Switch speculation off or on</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Undo deleting (in the list)</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Window</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>Composer</name>
        <message>
            <source>Answering in another chat; Esc stops it</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Enter sends, Shift+Enter breaks the line</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Esc stops</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Message</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Send</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Send (Enter)</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Stop</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Stop the reply (Esc)</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The model is still answering. Stop it with Esc, or wait.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Write a message</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>ContextMeter</name>
        <message>
            <source>Nearly full: start a new chat, or raise the context in the settings.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Tokens of this conversation in the model's context, and how many it holds.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>context</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>{used} of {size} tokens.</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>ConversationDelegate</name>
        <message>
            <source>Title</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>ConversationListView</name>
        <message>
            <source>Conversations</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Delete</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Rename</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>ConversationModel</name>
        <message>
            <source>%1, answering</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Earlier</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>New chat</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Today</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Yesterday</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>CopyButton</name>
        <message>
            <source>Copied</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>DetailsCard</name>
        <message>
            <source>Everything recorded</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Overview</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Rounds</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Rounds of which run</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Runs</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>What to show</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>{length}prompt {p}, run {r}</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>DraftText</name>
        <message>
            <source>Accepted draft, %1 of %2 in its block</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Reply with drafts</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The target's own token.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The target's own token. %1 drafts were rejected here.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The target's own token. One draft was rejected here.</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>DraftView</name>
        <message>
            <source>%1 accepted, darker later in the block</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>%1 rejected here</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>%1 the target's own</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>No drafts were recorded for this reply.</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>DropHint</name>
        <message>
            <source>Drop to use %1</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Whether it is a target or a sidecar is read from the file.</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>EmptyState</name>
        <message>
            <source>%1 answers here. The panel beside shows whether speculation pays for your text.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>%1 is loading; a message you send now is answered as soon as it is ready.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Choose a model to begin</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Choose a target…</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Code repeats itself: drafts are often right.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Free prose: the hardest text to draft.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>List the planets of the solar system, one line each, with one fact about each.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Regular text: drafts are right now and then.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Slipstream runs a target model together with a small sidecar that drafts for it, and shows whether that pays on your machine. Choose a target here, or drop a GGUF file anywhere on this window.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Tell a short story about a lighthouse keeper who finds a letter.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>What do you want to ask?</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Write a Python function that reads a CSV file into a list of dictionaries.</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>Field</name>
        <message>
            <source>Takes effect after a reload.</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>Figure</name>
        <message>
            <source>Copy all figures</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Copy “{text}”</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>FileOpener</name>
        <message>
            <source>A sidecar drafts for the target it was trained for; it cannot answer by itself.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>All files (*)</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Choose the target it was trained for.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>GGUF models (*.gguf)</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>“%1” is a sidecar.</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>Folded</name>
        <message>
            <source>Long text · %1 characters</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>Headline</name>
        <message>
            <source>Switch speculation off for this conversation.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Turn speculation off</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>faster</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>same speed</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>slower</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>slower –</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>turn it off?</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>HistoryCard</name>
        <message>
            <source>Delete</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Earlier runs of this pair</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>None yet. What you measure is kept here, with every recorded round.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Open</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>LivePanel</name>
        <message>
            <source>1 + accepted / steps that drafted.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Acceptance</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Acceptance by position</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Acceptance is far below what a fitting sidecar gives. It may have been made for another version of this model.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Accepted / submitted for verification.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Accepted tokens</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>As many steps as tokens means that speculation brings nothing.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Average</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Bars near zero at the end cost time and bring nothing: shorten the draft.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Below 1 speculation costs more than it gives: switch it off or draft fewer tokens.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Checkpoint rollbacks are dear; many of them call for a shorter draft.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Close to 1 means that drafts are wasted work.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Close to the generation speed: raise the batch sizes.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Compare it with a reply made with speculation off.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Copy all figures</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Draft</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Draft should stay small beside verify; much “other” means that the machine is busy.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Drafted tokens</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Drafted tokens that became part of the reply.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Drafts</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Far below the drafted tokens, most of the drafting is wasted.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>First token (TTFT)</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Generated tokens / seconds from the end of prefill to the last token.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>How fast the prompt was read.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>How much less time a token takes with speculation, end to end.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>How often draft 1, 2, 3, … of a step was accepted. A tick: among steps that got that far.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>It falls slowly as the reply grows; a sudden drop means that another program is busy.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>It moves with the text: code and lists are drafted better than prose.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Live panel</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Long after a short message: the conversation was read again from the start.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Mean accepted length</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Native: cut from the cache. Checkpoint: state restored and replayed.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Newly read prompt tokens / seconds of prefill; what was still in the cache is left out.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Notice</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Now</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>One a step, whether or not it had a draft.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Other</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Prefill</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Prefill + first step.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Process</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Prompt</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Roll back</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Rollbacks</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Seconds of each phase / seconds of generation; sampling counts as roll back.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Seconds per token: ordinary / speculative, same context, threads and sampling.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Share of the drafted tokens that the target agreed with.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Speed</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Speed over the reply</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Speed over the reply. Filled teal: speculative. Blue line: ordinary. Dotted: suspended.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Speedup</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Steps that committed draft i / steps that drafted.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Steps that rejected at least one draft and took it back from the cache.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Sum of the draft lengths of all steps.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Sum over all steps of the drafts delivered.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Time split</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Time to first token: from sending to the first token of the reply.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Times the target was run to verify a draft and add a token of its own.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Tokens / seconds of stretches of a quarter of a second; the dashed line is the average.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Tokens / seconds of the latest steps.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Tokens a second over the last second of decoding.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Tokens a second over the whole reply, reasoning included.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Tokens a verification step brings on average, the target's own included.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Tokens the sidecar proposed in this reply.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Under 10 % the sidecar was probably made for another model. High is no proof of speed.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Verification steps</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Verify</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Where the time of the reply went. Prefill is not part of it.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Zero while speculation is on means that it is suspended.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>at the same context length; go on chatting in both</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>choose a model and chat; the comparison with ordinary decoding appears here</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>go on chatting</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>measured on {ordinary} ordinary and {speculative} speculative tokens, context {span}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>native {native} · checkpoint {checkpoint}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>needs speculation: choose a sidecar that fits this model</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>needs {n} tokens of each: ordinary {ordinary}, speculative {speculative} – {hint}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>ordinary {ordinary}, speculative {speculative}, but not {n} of each – {hint}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>send a message</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>switch speculation off for one reply</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>switch speculation on for one reply</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>{reused} of {total} reused</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>LoadMessage</name>
        <message>
            <source>Cancel</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Cancel loading</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>MainWindow</name>
        <message>
            <source>Choose a sidecar</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Choose a target model</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Hide the live panel (Ctrl+J)</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Show the conversations (Ctrl+B)</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Show the live panel (Ctrl+J)</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>MessageList</name>
        <message>
            <source>Conversation</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Jump to latest</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Show earlier messages</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>MessageRow</name>
        <message>
            <source>Copy message</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>ModelMenu</name>
        <message>
            <source>Found models</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Open file…</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>ModelSelector</name>
        <message>
            <source>Click to choose, or drop a .gguf file here.</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>NumberField</name>
        <message>
            <source>Type a number; the up and down keys change it.</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>PairBar</name>
        <message>
            <source>Cancel loading</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Chatting works; every token comes from the target alone.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Choose a model</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Choose a sidecar</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Choose a target model, and a sidecar trained for it, to start.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Drafts were accepted too rarely to pay, so the target decodes on its own for now.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>No models found in the model folders.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>No sidecar</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>No sidecars found in the model folders.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Open settings</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Sidecar</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Speculation</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Speculation is tried again by itself; nothing needs to be done.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Switch off</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Switch on</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Switch speculation on or off, also in the middle of a reply.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Target model</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The length is chosen while you chat: as long as it pays.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The sidecar</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The target decodes on its own: this is what speculation is compared with.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>{algorithm} drafts up to {n} tokens a step; the target verifies each of them.</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>PairBinder</name>
        <message>
            <source>Loading the model</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>PairPage</name>
        <message>
            <source>0 to 512.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>1 or more.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>1 or more; this sidecar drafts {n} at most.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>64 or more.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>64 or more; it was trained for {n}.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>A draft ends at the first token less probable than this. 0 to 1; 0 never ends it.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Automatic draft length</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Backend sampling</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Batch size</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Choose draft tokens on the device, where that is supported. Saves copying on a GPU.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Context and memory</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Context length</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Draft length</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Drafts as much as pays and pauses when nothing does. Off: always the length below.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Faster attention with less memory, where the hardware can do it.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Flash attention</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>How keys are stored. f16 is exact enough; q8_0 halves the memory.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>How much of the conversation the model sees. Memory grows with it.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>How values are stored. Quantised ones need flash attention.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Key cache type</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Least probability</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Most tokens drafted a step. Longer pays for code and lists, shorter for prose.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>No pair is chosen; these settings are used for the next one.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Pair</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Physical batch size</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Processor threads for decoding; 0 uses one a core.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Shorter drafts are thrown away. 0 to the draft length; 0 keeps all.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Shortest draft</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Sidecar layers on the GPU</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Speculation</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Speed</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Target layers on the GPU</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>These settings belong to the chosen pair. Fields marked with an arrow need a reload.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>This machine has {n} cores.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Threads</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Tokens computed at once: from 1 to the batch size. Larger needs more memory.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Tokens of the prompt handed over at once. At least the draft length and one more.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Value cache type</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>all</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>all, auto, or a number from 0. Best where the target's layers are.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>all, auto, or a number from 0. Without a GPU it changes nothing.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>auto</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>layers</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>off</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>on</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>threads</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>tokens</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>PositionBars</name>
        <message>
            <source>Draft {i}: accepted in {rate} of the steps that drafted.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Of the steps that got this far: {rate}.</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>ProblemCard</name>
        <message>
            <source>Choose a sidecar…</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Choose a target…</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Copy report</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Dismiss</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Load again</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Load without the sidecar</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>New chat</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Open settings</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>ProseView</name>
        <message>
            <source>Reply</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>ReloadMessage</name>
        <message>
            <source>Reload</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Settings changed; they take effect after a reload.</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>ReplyRow</name>
        <message>
            <source>%1 accepted</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Broken off</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Cut off at the limit</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Cut off at the limit of %1 tokens</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Cut off: the context of %1 tokens is full</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Hide drafts</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Reading the prompt</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Reply</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Show drafts</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Stopped</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Stopped before the first word</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The draft is catching up</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The model ended its reply without a word</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>This reply failed</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Waiting for the model to load</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Waiting for the other reply to end</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>ordinary decoding</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>ResultView</name>
        <message>
            <source>Copy report</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Draft length</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Every recorded round; slipstream bench --recount checks it.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>In use for this pair</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Is the text the same?</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>It was stopped early. The figures are those of what was finished.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Ordinary against speculative</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Ordinary against speculative decoding</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Result</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Save CSV…</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Save JSON…</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Save picture…</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Speedup and acceptance by draft length</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Switch speculation off for the pair</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The whole run as Markdown, without private paths and names.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Use this length for the pair</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>RunningCard</name>
        <message>
            <source>All so far</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Progress of the benchmark</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>So far</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>So far, by draft length</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Starting</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Stop</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>What is measured so far is kept.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>ordinary</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>speculative</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>stopping</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>SamplingPage</name>
        <message>
            <source>A fixed seed makes a reply repeatable. 0 to 4294967295. Each reply records its seed.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>A reply is cut here; it ends earlier at the end of the context.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Balanced</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Changes take effect with the next reply. They are the same with and without speculation.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Creative</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Custom</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Greedy</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Greedy takes the likeliest token: one prompt, one reply.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>How far back the penalty looks. 0 is off, -1 the whole context.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>How freely tokens are chosen. 0 to 5; 0 is greedy.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Longest reply</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Makes tokens that were used lately less likely. Above 0 to 5; 1 is off.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Min-p</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Next token</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Only the k likeliest tokens stay in the draw. 0 to 100000; 0 switches it off.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Penalty window</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Precise</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Preset</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Repeat penalty</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Repetition</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Reply</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Sampling</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Seed</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Temperature</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The likeliest tokens that add up to this. Above 0 to 1; 1 is off.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Tokens at least this probable, compared with the likeliest. 0 to 1; 0 is off.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Top-k</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Top-p</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>fixed</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>random</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>tokens</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>SettingsDialog</name>
        <message>
            <source>About Slipstream</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Cancel</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Fill this page with defaults. Nothing is saved until you save.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Keyboard shortcuts</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Nothing was saved yet: mend the fields in red.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Pages</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Reload now</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Reset to defaults</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Save</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Save the settings and load the pair again with them.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Settings</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Some changes need a reload.</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>SettingsValues</name>
        <message>
            <source>Enter a number above {low}, up to {high}.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Enter a number from {low} to {high}.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Enter a whole number from {low} to {high}.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Enter a whole number of at least {low}.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Enter auto, all or a number of layers.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Must be at least {low}: one token and a whole draft are verified in one batch.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Must not be larger than the batch size, {n_batch}.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Must not be larger than the draft length, {n_max}.</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>SetupCard</name>
        <message>
            <source>Built-in set (24 prompts)</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Choose…</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Compare draft lengths and recommend one</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Copy-edit set (6 prompts)</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Draft length</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Draft lengths to compare</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Each run is a pair: once without and once with drafts.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>File with prompts</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>For example 1,2,4 or 1-7. Leave it empty for all.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Long prose (6 prompts)</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>One prompt</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>One prompt on each line, or JSON lines</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Prompt</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Prompts</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Prompts from a file</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Run</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Run the benchmark</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Runs of each</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Runs of each prompt</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Runs with and without drafts take turns on the loaded pair; the text is the same, only the time differs. Chatting waits until it is done.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The engine chooses the length of every draft.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The prompt to measure with</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Tokens a run</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>all</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>automatic</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>ShortcutsDialog</name>
        <message>
            <source>Close</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Keyboard shortcuts</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>Sidebar</name>
        <message>
            <source>Benchmark</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Benchmark (Ctrl+Shift+B)</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Clear</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Hide the conversations (Ctrl+B)</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>New chat</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>New chat (Ctrl+N)</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>No title contains “%1”.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Search conversations by title</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Search titles</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Search titles (Ctrl+F)</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Settings</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Settings (Ctrl+,)</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Your conversations will be listed here.</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>StateChip</name>
        <message>
            <source>Loading {percent} %</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>No model</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Not available</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Off</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Speculating</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Speculation state: {text}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Suspended</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The </source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Whether speculation is active, by which algorithm, and how long its drafts are.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>algorithm differs</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>auto {n}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>batch too small</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>drafts cannot be taken back</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>library too old</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>made for another target</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>no confidence head</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>no drafter for this kind</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>no sidecar chosen</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>not a sidecar</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>not enough memory</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>sidecar is cut short</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>sidecar is damaged</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>sidecar is missing</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>sidecar not usable</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>target cannot be read</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>target is its own sidecar</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>text does not pay</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>vocabulary differs</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>vocabulary type differs</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>width differs</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>SweepChart</name>
        <message>
            <source>Accepted drafts</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Speedup over ordinary decoding</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>SystemPromptPage</name>
        <message>
            <source>For example: Answer briefly and show your sources.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>System prompt</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>What the model is told before every conversation. Leave it empty to tell it nothing.</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>TableView</name>
        <message>
            <source>Table</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>Toast</name>
        <message>
            <source>Dismiss</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Undo</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>UserRow</name>
        <message>
            <source>Show all %1 characters</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Show less</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>You wrote</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Your message</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>_List</name>
        <message>
            <source>Date</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Prompts</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Result</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Version</source>
            <translation type="unfinished" />
        </message>
    </context>
</TS>
