<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
    <context>
        <name>AboutDialog</name>
        <message>
            <source>A local chat that shows what speculative decoding does on your machine.</source>
            <translation>Ein lokaler Chat, der zeigt, was spekulatives Dekodieren auf Ihrem Rechner bringt.</translation>
        </message>
        <message>
            <source>About Slipstream</source>
            <translation>Über Slipstream</translation>
        </message>
        <message>
            <source>Backend</source>
            <translation>Backend</translation>
        </message>
        <message>
            <source>Copy</source>
            <translation>Kopieren</translation>
        </message>
        <message>
            <source>Copy all of this, for a report.</source>
            <translation>All das kopieren, etwa für einen Fehlerbericht.</translation>
        </message>
        <message>
            <source>Everything inside, and under which licences.</source>
            <translation>Alles, was enthalten ist, und unter welchen Lizenzen.</translation>
        </message>
        <message>
            <source>Licence</source>
            <translation>Lizenz</translation>
        </message>
        <message>
            <source>Licences</source>
            <translation>Lizenzen</translation>
        </message>
        <message>
            <source>Native library</source>
            <translation>Native Bibliothek</translation>
        </message>
        <message>
            <source>Python</source>
            <translation>Python</translation>
        </message>
        <message>
            <source>Qt</source>
            <translation>Qt</translation>
        </message>
        <message>
            <source>System</source>
            <translation>System</translation>
        </message>
        <message>
            <source>Version</source>
            <translation>Version</translation>
        </message>
        <message>
            <source>known once a model is loaded</source>
            <translation>bekannt, sobald ein Modell geladen ist</translation>
        </message>
    </context>
    <context>
        <name>AppearancePage</name>
        <message>
            <source>Appearance</source>
            <translation>Erscheinungsbild</translation>
        </message>
        <message>
            <source>Figures beside the conversation while it goes on.</source>
            <translation>Messwerte neben der laufenden Unterhaltung.</translation>
        </message>
        <message>
            <source>How the window looks.</source>
            <translation>Wie das Fenster aussieht.</translation>
        </message>
        <message>
            <source>Language</source>
            <translation>Sprache</translation>
        </message>
        <message>
            <source>Light, dark, or what the system uses.</source>
            <translation>Hell, dunkel oder wie im System eingestellt.</translation>
        </message>
        <message>
            <source>Notify when a long reply ends</source>
            <translation>Melden, wenn eine lange Antwort fertig ist</translation>
        </message>
        <message>
            <source>On top of the system's own size. Ctrl and plus or minus change it anywhere.</source>
            <translation>Zusätzlich zur Größe im System. Strg und Plus oder Minus ändern sie überall.</translation>
        </message>
        <message>
            <source>Only while the window is in the background, and after ten seconds or more.</source>
            <translation>Nur wenn das Fenster im Hintergrund ist, und ab zehn Sekunden.</translation>
        </message>
        <message>
            <source>Show the live panel</source>
            <translation>Live-Anzeige zeigen</translation>
        </message>
        <message>
            <source>Takes effect when Slipstream is started again.</source>
            <translation>Wirkt beim nächsten Start von Slipstream.</translation>
        </message>
        <message>
            <source>Text size</source>
            <translation>Schriftgröße</translation>
        </message>
        <message>
            <source>Theme</source>
            <translation>Design</translation>
        </message>
        <message>
            <source>dark</source>
            <translation>dunkel</translation>
        </message>
        <message>
            <source>light</source>
            <translation>hell</translation>
        </message>
        <message>
            <source>system</source>
            <translation>System</translation>
        </message>
    </context>
    <context>
        <name>AttachmentChips</name>
        <message>
            <source>Remove {name}</source>
            <translation>{name} entfernen</translation>
        </message>
        <message>
            <source>{n} tokens</source>
            <translation>{n} Token</translation>
        </message>
    </context>
    <context>
        <name>AttachmentReader</name>
        <message>
            <source>“{name}” could not be read: {reason}</source>
            <translation>„{name}“ konnte nicht gelesen werden: {reason}</translation>
        </message>
        <message>
            <source>“{name}” is a folder. Attach the files in it.</source>
            <translation>„{name}“ ist ein Ordner. Hängen Sie die Dateien darin an.</translation>
        </message>
        <message>
            <source>“{name}” is larger than {limit} MB, too much for any conversation.</source>
            <translation>„{name}“ ist größer als {limit} MB, zu viel für jede Unterhaltung.</translation>
        </message>
        <message>
            <source>“{name}” is not a text file. Text and source code can be attached.</source>
            <translation>„{name}“ ist keine Textdatei. Text und Quellcode können angehängt werden.</translation>
        </message>
    </context>
    <context>
        <name>BarChart</name>
        <message>
            <source>ordinary</source>
            <translation>normal</translation>
        </message>
        <message>
            <source>speculative</source>
            <translation>spekulativ</translation>
        </message>
        <message>
            <source>tok/s</source>
            <translation>Tok/s</translation>
        </message>
    </context>
    <context>
        <name>BenchBinder</name>
        <message>
            <source>All files (*)</source>
            <translation>Alle Dateien (*)</translation>
        </message>
        <message>
            <source>Choose a file with prompts</source>
            <translation>Datei mit Prompts wählen</translation>
        </message>
        <message>
            <source>Choose another folder.</source>
            <translation>Wählen Sie einen anderen Ordner.</translation>
        </message>
        <message>
            <source>Save CSV</source>
            <translation>CSV speichern</translation>
        </message>
        <message>
            <source>Save JSON</source>
            <translation>JSON speichern</translation>
        </message>
        <message>
            <source>Save picture</source>
            <translation>Bild speichern</translation>
        </message>
        <message>
            <source>Text and JSON lines (*.txt *.jsonl *.json)</source>
            <translation>Text und JSON-Zeilen (*.txt *.jsonl *.json)</translation>
        </message>
        <message>
            <source>The benchmark of %1 was deleted</source>
            <translation>Der Benchmark vom %1 wurde gelöscht</translation>
        </message>
        <message>
            <source>“%1” could not be saved.</source>
            <translation>„%1“ konnte nicht gespeichert werden.</translation>
        </message>
    </context>
    <context>
        <name>BenchView</name>
        <message>
            <source>Back to the chat</source>
            <translation>Zurück zum Chat</translation>
        </message>
        <message>
            <source>Back to the chat (Esc)</source>
            <translation>Zurück zum Chat (Esc)</translation>
        </message>
        <message>
            <source>Benchmark</source>
            <translation>Benchmark</translation>
        </message>
        <message>
            <source>Find out in minutes whether speculation pays on this machine, on what kind of text, and with which draft length.</source>
            <translation>Finden Sie in wenigen Minuten heraus, ob sich Spekulation auf diesem Rechner lohnt, bei welcher Art von Text und mit welcher Entwurfslänge.</translation>
        </message>
    </context>
    <context>
        <name>Benchmark</name>
        <message>
            <source> (the fastest of {n})</source>
            <translation> (die schnellste von {n})</translation>
        </message>
        <message>
            <source>1 pair of runs</source>
            <translation>1 Laufpaar</translation>
        </message>
        <message>
            <source>95 % interval {of}: {low} to {high}, from {pairs}.</source>
            <translation>95-%-Intervall {of}: {low} bis {high}, aus {pairs}.</translation>
        </message>
        <message>
            <source>All prompts</source>
            <translation>Alle Prompts</translation>
        </message>
        <message>
            <source>Draft lengths lie between 1 and {n}.</source>
            <translation>Entwurfslängen liegen zwischen 1 und {n}.</translation>
        </message>
        <message>
            <source>From {pairs}: they differ too much to tell how sure this is. Use more runs.</source>
            <translation>Aus {pairs}: Sie weichen zu stark voneinander ab, um zu sagen, wie sicher das ist. Führen Sie mehr Läufe durch.</translation>
        </message>
        <message>
            <source>From {pairs}: too few to tell how sure this is. Use more runs.</source>
            <translation>Aus {pairs}: zu wenige, um zu sagen, wie sicher das ist. Führen Sie mehr Läufe durch.</translation>
        </message>
        <message>
            <source>Length {label}: {ratio}, accepted {share}, recommended.</source>
            <translation>Länge {label}: {ratio}, angenommen {share}, empfohlen.</translation>
        </message>
        <message>
            <source>Length {label}: {ratio}, accepted {share}.</source>
            <translation>Länge {label}: {ratio}, angenommen {share}.</translation>
        </message>
        <message>
            <source>Neither a speedup nor a slowdown is claimed.</source>
            <translation>Weder eine Beschleunigung noch eine Verlangsamung wird behauptet.</translation>
        </message>
        <message>
            <source>No speedup could be measured</source>
            <translation>Es konnte keine Beschleunigung gemessen werden</translation>
        </message>
        <message>
            <source>The replies were too short.</source>
            <translation>Die Antworten waren zu kurz.</translation>
        </message>
        <message>
            <source>Write lengths as 1,2,4 or 1-7.</source>
            <translation>Schreiben Sie Längen als 1,2,4 oder 1-7.</translation>
        </message>
        <message>
            <source>about {n} min left</source>
            <translation>noch etwa {n} min</translation>
        </message>
        <message>
            <source>about {n} s left</source>
            <translation>noch etwa {n} s</translation>
        </message>
        <message>
            <source>accept</source>
            <translation>Annehmen</translation>
        </message>
        <message>
            <source>accepted</source>
            <translation>angenommen</translation>
        </message>
        <message>
            <source>cancelled</source>
            <translation>abgebrochen</translation>
        </message>
        <message>
            <source>category</source>
            <translation>Kategorie</translation>
        </message>
        <message>
            <source>checkpoint</source>
            <translation>Sicherungspunkt</translation>
        </message>
        <message>
            <source>decode</source>
            <translation>Dekodieren</translation>
        </message>
        <message>
            <source>draft</source>
            <translation>Entwerfen</translation>
        </message>
        <message>
            <source>drafted</source>
            <translation>entworfen</translation>
        </message>
        <message>
            <source>ended by</source>
            <translation>Ende durch</translation>
        </message>
        <message>
            <source>for a repeat</source>
            <translation>für eine Wiederholung</translation>
        </message>
        <message>
            <source>for prompts like these</source>
            <translation>für Prompts wie diese</translation>
        </message>
        <message>
            <source>length</source>
            <translation>Länge</translation>
        </message>
        <message>
            <source>length {length}</source>
            <translation>Länge {length}</translation>
        </message>
        <message>
            <source>mode</source>
            <translation>Modus</translation>
        </message>
        <message>
            <source>ms</source>
            <translation>ms</translation>
        </message>
        <message>
            <source>native</source>
            <translation>nativ</translation>
        </message>
        <message>
            <source>no</source>
            <translation>nein</translation>
        </message>
        <message>
            <source>not measured</source>
            <translation>nicht gemessen</translation>
        </message>
        <message>
            <source>ordinary</source>
            <translation>normal</translation>
        </message>
        <message>
            <source>position</source>
            <translation>Position</translation>
        </message>
        <message>
            <source>process</source>
            <translation>Verarbeiten</translation>
        </message>
        <message>
            <source>prompt</source>
            <translation>Prompt</translation>
        </message>
        <message>
            <source>rollback</source>
            <translation>Rücknahme</translation>
        </message>
        <message>
            <source>rollback time</source>
            <translation>Rücknahmezeit</translation>
        </message>
        <message>
            <source>round</source>
            <translation>Runde</translation>
        </message>
        <message>
            <source>run</source>
            <translation>Lauf</translation>
        </message>
        <message>
            <source>same text</source>
            <translation>gleicher Text</translation>
        </message>
        <message>
            <source>speculative</source>
            <translation>spekulativ</translation>
        </message>
        <message>
            <source>speedup</source>
            <translation>Beschleunigung</translation>
        </message>
        <message>
            <source>stop</source>
            <translation>Stopp</translation>
        </message>
        <message>
            <source>suspended</source>
            <translation>ausgesetzt</translation>
        </message>
        <message>
            <source>sync</source>
            <translation>Warten</translation>
        </message>
        <message>
            <source>timed</source>
            <translation>gemessen</translation>
        </message>
        <message>
            <source>tokens</source>
            <translation>Token</translation>
        </message>
        <message>
            <source>verified</source>
            <translation>geprüft</translation>
        </message>
        <message>
            <source>yes</source>
            <translation>ja</translation>
        </message>
        <message>
            <source>{label}: ordinary {ordinary}, speculative {speculative}, {ratio}.</source>
            <translation>{label}: normal {ordinary}, spekulativ {speculative}, {ratio}.</translation>
        </message>
        <message>
            <source>{n} pairs of runs</source>
            <translation>{n} Laufpaaren</translation>
        </message>
        <message>
            <source>{ordinary} ordinary, {speculative} speculative; {accepted} of the drafts accepted, {length}</source>
            <translation>{ordinary} normal, {speculative} spekulativ; {accepted} der Entwürfe angenommen, {length}</translation>
        </message>
        <message>
            <source>{ratio} ({low} to {high})</source>
            <translation>{ratio} ({low} bis {high})</translation>
        </message>
        <message>
            <source>{ratio} faster</source>
            <translation>{ratio} schneller</translation>
        </message>
        <message>
            <source>{ratio}, not certain</source>
            <translation>{ratio}, nicht sicher</translation>
        </message>
        <message>
            <source>{ratio}: slower</source>
            <translation>{ratio}: langsamer</translation>
        </message>
        <message>
            <source>{ratio}: within noise</source>
            <translation>{ratio}: im Rauschen</translation>
        </message>
        <message>
            <source>{verdict} (stopped early)</source>
            <translation>{verdict} (vorzeitig beendet)</translation>
        </message>
    </context>
    <context>
        <name>BranchSwitch</name>
        <message>
            <source>Next version</source>
            <translation>Nächste Fassung</translation>
        </message>
        <message>
            <source>Previous version</source>
            <translation>Vorige Fassung</translation>
        </message>
        <message>
            <source>Version {n} of {count}</source>
            <translation>Fassung {n} von {count}</translation>
        </message>
    </context>
    <context>
        <name>Chart</name>
        <message>
            <source>Arrow keys read the values.</source>
            <translation>Die Pfeiltasten lesen die Werte vor.</translation>
        </message>
    </context>
    <context>
        <name>ChatBinder</name>
        <message>
            <source>A reply was deleted</source>
            <translation>Eine Antwort wurde gelöscht</translation>
        </message>
        <message>
            <source>Choose a target model first.</source>
            <translation>Wählen Sie zuerst ein Zielmodell.</translation>
        </message>
        <message>
            <source>No model is loaded.</source>
            <translation>Es ist kein Modell geladen.</translation>
        </message>
        <message>
            <source>Your message was deleted</source>
            <translation>Ihre Nachricht wurde gelöscht</translation>
        </message>
        <message>
            <source>“%1” was deleted</source>
            <translation>„%1“ wurde gelöscht</translation>
        </message>
    </context>
    <context>
        <name>CodeText</name>
        <message>
            <source>Code</source>
            <translation>Code</translation>
        </message>
    </context>
    <context>
        <name>CodeView</name>
        <message>
            <source>Copy code</source>
            <translation>Code kopieren</translation>
        </message>
        <message>
            <source>Do not wrap lines</source>
            <translation>Zeilen nicht umbrechen</translation>
        </message>
        <message>
            <source>Save code</source>
            <translation>Code speichern</translation>
        </message>
        <message>
            <source>Wrap long lines</source>
            <translation>Lange Zeilen umbrechen</translation>
        </message>
        <message>
            <source>text</source>
            <translation>Text</translation>
        </message>
    </context>
    <context>
        <name>CommandPalette</name>
        <message>
            <source>Commands</source>
            <translation>Befehle</translation>
        </message>
        <message>
            <source>Commands and conversations</source>
            <translation>Befehle und Unterhaltungen</translation>
        </message>
        <message>
            <source>Find a command or a conversation</source>
            <translation>Befehl oder Unterhaltung suchen</translation>
        </message>
        <message>
            <source>Nothing is called that.</source>
            <translation>Nichts heißt so.</translation>
        </message>
        <message>
            <source>Type a command, or the title of a conversation</source>
            <translation>Befehl oder Titel einer Unterhaltung eingeben</translation>
        </message>
    </context>
    <context>
        <name>Commands</name>
        <message>
            <source>About Slipstream</source>
            <translation>Über Slipstream</translation>
        </message>
        <message>
            <source>All commands</source>
            <translation>Alle Befehle</translation>
        </message>
        <message>
            <source>Benchmark</source>
            <translation>Benchmark</translation>
        </message>
        <message>
            <source>Break the line</source>
            <translation>Zeilenumbruch</translation>
        </message>
        <message>
            <source>Choose a sidecar file</source>
            <translation>Sidecar-Datei wählen</translation>
        </message>
        <message>
            <source>Choose a target file</source>
            <translation>Zielmodell-Datei wählen</translation>
        </message>
        <message>
            <source>Conversation above</source>
            <translation>Unterhaltung darüber</translation>
        </message>
        <message>
            <source>Conversation below</source>
            <translation>Unterhaltung darunter</translation>
        </message>
        <message>
            <source>Conversations</source>
            <translation>Unterhaltungen</translation>
        </message>
        <message>
            <source>Delete (in the list)</source>
            <translation>Löschen (in der Liste)</translation>
        </message>
        <message>
            <source>Export the conversation</source>
            <translation>Unterhaltung exportieren</translation>
        </message>
        <message>
            <source>Find in the conversation</source>
            <translation>In der Unterhaltung suchen</translation>
        </message>
        <message>
            <source>Go to the message field</source>
            <translation>Zum Eingabefeld</translation>
        </message>
        <message>
            <source>Import conversations</source>
            <translation>Unterhaltungen importieren</translation>
        </message>
        <message>
            <source>Jump to the latest message</source>
            <translation>Zur neuesten Nachricht springen</translation>
        </message>
        <message>
            <source>Keyboard shortcuts</source>
            <translation>Tastenkürzel</translation>
        </message>
        <message>
            <source>Larger text</source>
            <translation>Größere Schrift</translation>
        </message>
        <message>
            <source>Load the pair again</source>
            <translation>Paar neu laden</translation>
        </message>
        <message>
            <source>Menu bar</source>
            <translation>Menüleiste</translation>
        </message>
        <message>
            <source>Messages</source>
            <translation>Nachrichten</translation>
        </message>
        <message>
            <source>Models</source>
            <translation>Modelle</translation>
        </message>
        <message>
            <source>Move a pin up (down: Alt+Down)</source>
            <translation>Angeheftetes nach oben (nach unten: Alt+Herunter)</translation>
        </message>
        <message>
            <source>New chat</source>
            <translation>Neuer Chat</translation>
        </message>
        <message>
            <source>Next part of the window</source>
            <translation>Nächster Fensterbereich</translation>
        </message>
        <message>
            <source>Normal text</source>
            <translation>Normale Schrift</translation>
        </message>
        <message>
            <source>Pin or unpin the conversation</source>
            <translation>Unterhaltung anheften oder lösen</translation>
        </message>
        <message>
            <source>Quit</source>
            <translation>Beenden</translation>
        </message>
        <message>
            <source>Rename the conversation</source>
            <translation>Unterhaltung umbenennen</translation>
        </message>
        <message>
            <source>Search conversations</source>
            <translation>Unterhaltungen durchsuchen</translation>
        </message>
        <message>
            <source>Send</source>
            <translation>Senden</translation>
        </message>
        <message>
            <source>Settings</source>
            <translation>Einstellungen</translation>
        </message>
        <message>
            <source>Show or hide drafts in all replies</source>
            <translation>Entwürfe in allen Antworten ein- oder ausblenden</translation>
        </message>
        <message>
            <source>Show or hide the conversations</source>
            <translation>Unterhaltungen ein- oder ausblenden</translation>
        </message>
        <message>
            <source>Show or hide the live panel</source>
            <translation>Live-Anzeige ein- oder ausblenden</translation>
        </message>
        <message>
            <source>Show the prompt</source>
            <translation>Prompt zeigen</translation>
        </message>
        <message>
            <source>Smaller text</source>
            <translation>Kleinere Schrift</translation>
        </message>
        <message>
            <source>Stop the reply</source>
            <translation>Antwort anhalten</translation>
        </message>
        <message>
            <source>Switch speculation off or on</source>
            <translation>Spekulation aus- oder einschalten</translation>
        </message>
        <message>
            <source>Undo deleting (in the list)</source>
            <translation>Löschen rückgängig machen (in der Liste)</translation>
        </message>
        <message>
            <source>Window</source>
            <translation>Fenster</translation>
        </message>
    </context>
    <context>
        <name>Composer</name>
        <message>
            <source>Answering in another chat; Esc stops it</source>
            <translation>Antwortet in einem anderen Chat; Esc hält an</translation>
        </message>
        <message>
            <source>Attach text files</source>
            <translation>Textdateien anhängen</translation>
        </message>
        <message>
            <source>Enter sends, Shift+Enter breaks the line</source>
            <translation>Eingabe sendet, Umschalt+Eingabe bricht um</translation>
        </message>
        <message>
            <source>Esc stops</source>
            <translation>Esc hält an</translation>
        </message>
        <message>
            <source>Insert a saved text</source>
            <translation>Textbaustein einfügen</translation>
        </message>
        <message>
            <source>Message</source>
            <translation>Nachricht</translation>
        </message>
        <message>
            <source>Saved texts</source>
            <translation>Textbausteine</translation>
        </message>
        <message>
            <source>Send</source>
            <translation>Senden</translation>
        </message>
        <message>
            <source>Send (Enter)</source>
            <translation>Senden (Eingabe)</translation>
        </message>
        <message>
            <source>Stop</source>
            <translation>Anhalten</translation>
        </message>
        <message>
            <source>Stop the reply (Esc)</source>
            <translation>Antwort anhalten (Esc)</translation>
        </message>
        <message>
            <source>The model is still answering. Stop it with Esc, or wait.</source>
            <translation>Das Modell antwortet noch. Halten Sie es mit Esc an oder warten Sie.</translation>
        </message>
        <message>
            <source>Write a message</source>
            <translation>Nachricht schreiben</translation>
        </message>
        <message>
            <source>{n} tokens</source>
            <translation>{n} Token</translation>
        </message>
        <message>
            <source>{n} tokens are new to the model; the whole prompt has {total}.</source>
            <translation>{n} Token sind neu für das Modell; der ganze Prompt hat {total}.</translation>
        </message>
    </context>
    <context>
        <name>ComposerText</name>
        <message>
            <source>Double-click to show and edit it</source>
            <translation>Ein Doppelklick zeigt ihn zum Bearbeiten</translation>
        </message>
        <message>
            <source>Show and edit the long text</source>
            <translation>Langen Text zeigen und bearbeiten</translation>
        </message>
        <message>
            <source>Too long to be edited here</source>
            <translation>Zu lang, um hier bearbeitet zu werden</translation>
        </message>
    </context>
    <context>
        <name>ContextChoice</name>
        <message>
            <source>Do not send</source>
            <translation>Nicht senden</translation>
        </message>
        <message>
            <source>Leave out the oldest messages</source>
            <translation>Älteste Nachrichten weglassen</translation>
        </message>
        <message>
            <source>Left out, the oldest messages stay in the conversation, but the model no longer reads them. Summarised, it reads a summary in their place.</source>
            <translation>Weggelassene Nachrichten bleiben in der Unterhaltung, aber das Modell liest sie nicht mehr. Zusammengefasst liest es an ihrer Stelle eine Zusammenfassung.</translation>
        </message>
        <message>
            <source>Summarise them</source>
            <translation>Zusammenfassen</translation>
        </message>
        <message>
            <source>This conversation no longer fits into the model's context.</source>
            <translation>Diese Unterhaltung passt nicht mehr in den Kontext des Modells.</translation>
        </message>
    </context>
    <context>
        <name>ContextMeter</name>
        <message>
            <source>Nearly full. Before it overflows you are asked what to leave out.</source>
            <translation>Fast voll. Bevor er überläuft, werden Sie gefragt, was wegbleiben soll.</translation>
        </message>
        <message>
            <source>The next prompt has {n} tokens; {reused} of them need not be read again.</source>
            <translation>Der nächste Prompt hat {n} Token; {reused} davon müssen nicht neu gelesen werden.</translation>
        </message>
        <message>
            <source>Tokens of this conversation in the model's context, and how many it holds.</source>
            <translation>Token dieser Unterhaltung im Kontext des Modells und wie viele er fasst.</translation>
        </message>
        <message>
            <source>context</source>
            <translation>Kontext</translation>
        </message>
        <message>
            <source>{n} tokens are reserved for its reply.</source>
            <translation>{n} Token sind für die Antwort reserviert.</translation>
        </message>
        <message>
            <source>{used} of {size} tokens are in use.</source>
            <translation>{used} von {size} Token sind belegt.</translation>
        </message>
    </context>
    <context>
        <name>ConversationDelegate</name>
        <message>
            <source>Title</source>
            <translation>Titel</translation>
        </message>
    </context>
    <context>
        <name>ConversationFiles</name>
        <message>
            <source>1 conversation was imported.</source>
            <translation>1 Unterhaltung wurde importiert.</translation>
        </message>
        <message>
            <source>1 could not be read.</source>
            <translation>1 war nicht lesbar.</translation>
        </message>
        <message>
            <source>All files (*)</source>
            <translation>Alle Dateien (*)</translation>
        </message>
        <message>
            <source>Copied</source>
            <translation>Kopiert</translation>
        </message>
        <message>
            <source>Copy the report</source>
            <translation>Bericht kopieren</translation>
        </message>
        <message>
            <source>Copy what failed</source>
            <translation>Fehler kopieren</translation>
        </message>
        <message>
            <source>Export</source>
            <translation>Exportieren</translation>
        </message>
        <message>
            <source>Import conversations</source>
            <translation>Unterhaltungen importieren</translation>
        </message>
        <message>
            <source>Importing {name} …</source>
            <translation>{name} wird importiert …</translation>
        </message>
        <message>
            <source>JSON (*.json)</source>
            <translation>JSON (*.json)</translation>
        </message>
        <message>
            <source>Markdown (*.md)</source>
            <translation>Markdown (*.md)</translation>
        </message>
        <message>
            <source>Saved as {name}</source>
            <translation>Gespeichert als {name}</translation>
        </message>
        <message>
            <source>Slipstream or ChatGPT (*.json *.zip)</source>
            <translation>Slipstream oder ChatGPT (*.json *.zip)</translation>
        </message>
        <message>
            <source>Stop</source>
            <translation>Anhalten</translation>
        </message>
        <message>
            <source>The rest of the file was left out.</source>
            <translation>Der Rest der Datei wurde ausgelassen.</translation>
        </message>
        <message>
            <source>Web page (*.html)</source>
            <translation>Webseite (*.html)</translation>
        </message>
        <message>
            <source>{n} conversations were imported.</source>
            <translation>{n} Unterhaltungen wurden importiert.</translation>
        </message>
        <message>
            <source>{n} could not be read.</source>
            <translation>{n} waren nicht lesbar.</translation>
        </message>
    </context>
    <context>
        <name>ConversationListView</name>
        <message>
            <source>Conversations</source>
            <translation>Unterhaltungen</translation>
        </message>
    </context>
    <context>
        <name>ConversationMenu</name>
        <message>
            <source>Delete</source>
            <translation>Löschen</translation>
        </message>
        <message>
            <source>Duplicate</source>
            <translation>Duplizieren</translation>
        </message>
        <message>
            <source>Export</source>
            <translation>Exportieren</translation>
        </message>
        <message>
            <source>JSON, with everything…</source>
            <translation>JSON, mit allem …</translation>
        </message>
        <message>
            <source>Markdown…</source>
            <translation>Markdown …</translation>
        </message>
        <message>
            <source>New tag…</source>
            <translation>Neues Schlagwort …</translation>
        </message>
        <message>
            <source>Pin</source>
            <translation>Anheften</translation>
        </message>
        <message>
            <source>Rename</source>
            <translation>Umbenennen</translation>
        </message>
        <message>
            <source>Tags</source>
            <translation>Schlagwörter</translation>
        </message>
        <message>
            <source>Unpin</source>
            <translation>Lösen</translation>
        </message>
        <message>
            <source>Web page…</source>
            <translation>Webseite …</translation>
        </message>
    </context>
    <context>
        <name>ConversationModel</name>
        <message>
            <source>Last 30 days</source>
            <translation>Letzte 30 Tage</translation>
        </message>
        <message>
            <source>Last 7 days</source>
            <translation>Letzte 7 Tage</translation>
        </message>
        <message>
            <source>Long ago</source>
            <translation>Vor langer Zeit</translation>
        </message>
        <message>
            <source>New chat</source>
            <translation>Neuer Chat</translation>
        </message>
        <message>
            <source>Pinned</source>
            <translation>Angeheftet</translation>
        </message>
        <message>
            <source>Today</source>
            <translation>Heute</translation>
        </message>
        <message>
            <source>Yesterday</source>
            <translation>Gestern</translation>
        </message>
        <message>
            <source>{title}, answering</source>
            <translation>{title}, antwortet</translation>
        </message>
        <message>
            <source>{title}, pinned</source>
            <translation>{title}, angeheftet</translation>
        </message>
    </context>
    <context>
        <name>CopyButton</name>
        <message>
            <source>Copied</source>
            <translation>Kopiert</translation>
        </message>
    </context>
    <context>
        <name>DetailsCard</name>
        <message>
            <source>Everything recorded</source>
            <translation>Alles Aufgezeichnete</translation>
        </message>
        <message>
            <source>Overview</source>
            <translation>Übersicht</translation>
        </message>
        <message>
            <source>Rounds</source>
            <translation>Runden</translation>
        </message>
        <message>
            <source>Rounds of which run</source>
            <translation>Runden welches Laufs</translation>
        </message>
        <message>
            <source>Runs</source>
            <translation>Läufe</translation>
        </message>
        <message>
            <source>What to show</source>
            <translation>Was gezeigt wird</translation>
        </message>
        <message>
            <source>{length}prompt {p}, run {r}</source>
            <translation>{length}Prompt {p}, Lauf {r}</translation>
        </message>
    </context>
    <context>
        <name>Dialogs</name>
        <message>
            <source>Close</source>
            <translation>Schließen</translation>
        </message>
    </context>
    <context>
        <name>DraftBinder</name>
        <message>
            <source>Attach text files</source>
            <translation>Textdateien anhängen</translation>
        </message>
        <message>
            <source>Edit saved texts…</source>
            <translation>Textbausteine bearbeiten …</translation>
        </message>
        <message>
            <source>Not sent: it does not fit into the context.</source>
            <translation>Nicht gesendet: Es passt nicht in den Kontext.</translation>
        </message>
        <message>
            <source>Save this message…</source>
            <translation>Diese Nachricht als Baustein …</translation>
        </message>
        <message>
            <source>Summarising the oldest messages; Esc stops</source>
            <translation>Älteste Nachrichten werden zusammengefasst; Esc hält an</translation>
        </message>
        <message>
            <source>The model's context has no room for it. Raise the context in the settings.</source>
            <translation>Im Kontext des Modells ist kein Platz dafür. Vergrößern Sie den Kontext in den Einstellungen.</translation>
        </message>
        <message>
            <source>The size of the conversation could not be counted. Try again.</source>
            <translation>Der Umfang der Unterhaltung ließ sich nicht zählen. Versuchen Sie es erneut.</translation>
        </message>
        <message>
            <source>Too long for the model's context. Shorten it, or raise the context in the settings.</source>
            <translation>Zu lang für den Kontext des Modells. Kürzen Sie oder vergrößern Sie den Kontext in den Einstellungen.</translation>
        </message>
    </context>
    <context>
        <name>DraftText</name>
        <message>
            <source>Accepted draft, %1 of %2 in its block</source>
            <translation>Angenommener Entwurf, %1 von %2 in seinem Block</translation>
        </message>
        <message>
            <source>Reply with drafts</source>
            <translation>Antwort mit Entwürfen</translation>
        </message>
        <message>
            <source>The target's own token.</source>
            <translation>Eigenes Token des Zielmodells.</translation>
        </message>
        <message>
            <source>The target's own token. %1 drafts were rejected here.</source>
            <translation>Eigenes Token des Zielmodells. %1 Entwürfe wurden hier verworfen.</translation>
        </message>
        <message>
            <source>The target's own token. One draft was rejected here.</source>
            <translation>Eigenes Token des Zielmodells. Ein Entwurf wurde hier verworfen.</translation>
        </message>
    </context>
    <context>
        <name>DraftView</name>
        <message>
            <source>%1 accepted, stronger later in the block</source>
            <translation>%1 angenommen, kräftiger weiter hinten im Block</translation>
        </message>
        <message>
            <source>%1 rejected here</source>
            <translation>%1 hier verworfen</translation>
        </message>
        <message>
            <source>%1 the target's own</source>
            <translation>%1 vom Zielmodell selbst</translation>
        </message>
        <message>
            <source>No drafts were recorded for this reply.</source>
            <translation>Zu dieser Antwort wurden keine Entwürfe aufgezeichnet.</translation>
        </message>
    </context>
    <context>
        <name>DropHint</name>
        <message>
            <source>Drop to use %1</source>
            <translation>Ablegen, um %1 zu verwenden</translation>
        </message>
        <message>
            <source>Whether it is a target or a sidecar is read from the file.</source>
            <translation>Ob es ein Zielmodell oder ein Sidecar ist, steht in der Datei.</translation>
        </message>
    </context>
    <context>
        <name>EditBox</name>
        <message>
            <source>Cancel</source>
            <translation>Abbrechen</translation>
        </message>
        <message>
            <source>Send</source>
            <translation>Senden</translation>
        </message>
        <message>
            <source>Sends a new version; this one is kept</source>
            <translation>Sendet eine neue Fassung; diese bleibt erhalten</translation>
        </message>
        <message>
            <source>Your message</source>
            <translation>Ihre Nachricht</translation>
        </message>
    </context>
    <context>
        <name>EmptyState</name>
        <message>
            <source>%1 answers here. The panel beside shows whether speculation pays for your text.</source>
            <translation>%1 antwortet hier. Die Anzeige daneben zeigt, ob sich Spekulation für Ihren Text lohnt.</translation>
        </message>
        <message>
            <source>%1 is loading; a message you send now is answered as soon as it is ready.</source>
            <translation>%1 wird geladen; was Sie jetzt senden, wird beantwortet, sobald es bereit ist.</translation>
        </message>
        <message>
            <source>Choose a model to begin</source>
            <translation>Wählen Sie zuerst ein Modell</translation>
        </message>
        <message>
            <source>Choose a target…</source>
            <translation>Zielmodell wählen …</translation>
        </message>
        <message>
            <source>Code repeats itself: drafts are often right.</source>
            <translation>Code wiederholt sich: Entwürfe treffen oft zu.</translation>
        </message>
        <message>
            <source>Free prose: the hardest text to draft.</source>
            <translation>Freie Prosa: am schwersten vorherzusagen.</translation>
        </message>
        <message>
            <source>List the planets of the solar system, one line each, with one fact about each.</source>
            <translation>Nenne die Planeten des Sonnensystems, einen pro Zeile, jeweils mit einer Tatsache dazu.</translation>
        </message>
        <message>
            <source>Regular text: drafts are right now and then.</source>
            <translation>Regelmäßiger Text: Entwürfe treffen ab und zu.</translation>
        </message>
        <message>
            <source>Slipstream runs a target model together with a small sidecar that drafts for it, and shows whether that pays on your machine. Choose a target here, or drop a GGUF file anywhere on this window.</source>
            <translation>Slipstream betreibt ein Zielmodell zusammen mit einem kleinen Sidecar, das ihm Entwürfe liefert, und zeigt, ob sich das auf Ihrem Rechner lohnt. Wählen Sie hier ein Zielmodell oder legen Sie eine GGUF-Datei irgendwo in diesem Fenster ab.</translation>
        </message>
        <message>
            <source>Tell a short story about a lighthouse keeper who finds a letter.</source>
            <translation>Erzähle eine kurze Geschichte über einen Leuchtturmwärter, der einen Brief findet.</translation>
        </message>
        <message>
            <source>What do you want to ask?</source>
            <translation>Was möchten Sie fragen?</translation>
        </message>
        <message>
            <source>Write a Python function that reads a CSV file into a list of dictionaries.</source>
            <translation>Schreibe eine Python-Funktion, die eine CSV-Datei in eine Liste von Wörterbüchern liest.</translation>
        </message>
    </context>
    <context>
        <name>Field</name>
        <message>
            <source>Takes effect after a reload.</source>
            <translation>Wirkt nach dem Neuladen.</translation>
        </message>
    </context>
    <context>
        <name>Figure</name>
        <message>
            <source>Copy all figures</source>
            <translation>Alle Messwerte kopieren</translation>
        </message>
        <message>
            <source>Copy “{text}”</source>
            <translation>„{text}“ kopieren</translation>
        </message>
    </context>
    <context>
        <name>FileOpener</name>
        <message>
            <source>A sidecar drafts for the target it was trained for; it cannot answer by itself.</source>
            <translation>Ein Sidecar entwirft für das Zielmodell, für das es trainiert wurde; allein kann es nicht antworten.</translation>
        </message>
        <message>
            <source>All files (*)</source>
            <translation>Alle Dateien (*)</translation>
        </message>
        <message>
            <source>Choose the target it was trained for.</source>
            <translation>Wählen Sie das Zielmodell, für das es trainiert wurde.</translation>
        </message>
        <message>
            <source>GGUF models (*.gguf)</source>
            <translation>GGUF-Modelle (*.gguf)</translation>
        </message>
        <message>
            <source>“%1” is a sidecar.</source>
            <translation>„%1“ ist ein Sidecar.</translation>
        </message>
    </context>
    <context>
        <name>FindBar</name>
        <message>
            <source>Close (Esc)</source>
            <translation>Schließen (Esc)</translation>
        </message>
        <message>
            <source>Find in the conversation</source>
            <translation>In der Unterhaltung suchen</translation>
        </message>
        <message>
            <source>Match before (Shift+Enter)</source>
            <translation>Vorheriger Treffer (Umschalt+Eingabe)</translation>
        </message>
        <message>
            <source>Next match (Enter)</source>
            <translation>Nächster Treffer (Eingabe)</translation>
        </message>
        <message>
            <source>Not found</source>
            <translation>Nicht gefunden</translation>
        </message>
        <message>
            <source>Searching</source>
            <translation>Sucht</translation>
        </message>
        <message>
            <source>{n} of {count}</source>
            <translation>{n} von {count}</translation>
        </message>
    </context>
    <context>
        <name>FirstRun</name>
        <message>
            <source>1  Choose what answers.</source>
            <translation>1  Wählen Sie, was antwortet.</translation>
        </message>
        <message>
            <source>2  Ask something.</source>
            <translation>2  Fragen Sie etwas.</translation>
        </message>
        <message>
            <source>3  Watch the panel: it says whether the sidecar pays for your text.</source>
            <translation>3  Sehen Sie auf die Anzeige: Sie sagt, ob sich das Sidecar für Ihren Text lohnt.</translation>
        </message>
        <message>
            <source>A chat with a model that runs on this machine. Nothing you write leaves it. A small second model, the sidecar, drafts ahead; the model verifies every word, so answers stay the same, and the panel beside shows how much time that saves.</source>
            <translation>Ein Chat mit einem Modell, das auf diesem Rechner läuft. Nichts, was Sie schreiben, verlässt ihn. Ein kleines zweites Modell, das Sidecar, entwirft voraus; das Modell prüft jedes Wort, die Antworten bleiben also dieselben, und die Anzeige daneben zeigt, wie viel Zeit das spart.</translation>
        </message>
        <message>
            <source>A pair is a model and a sidecar trained for it. You can change it at any time, at the top of the window.</source>
            <translation>Ein Paar ist ein Modell und ein dafür trainiertes Sidecar. Sie können es jederzeit oben im Fenster wechseln.</translation>
        </message>
        <message>
            <source>A short answer, to see it work.</source>
            <translation>Eine kurze Antwort, um es in Aktion zu sehen.</translation>
        </message>
        <message>
            <source>Back</source>
            <translation>Zurück</translation>
        </message>
        <message>
            <source>Choose a model…</source>
            <translation>Modell wählen …</translation>
        </message>
        <message>
            <source>Choose another model…</source>
            <translation>Anderes Modell wählen …</translation>
        </message>
        <message>
            <source>Code: here drafting ahead pays most.</source>
            <translation>Code: Hier lohnt sich das Vorausentwerfen am meisten.</translation>
        </message>
        <message>
            <source>Explain in three sentences what a language model does.</source>
            <translation>Erkläre in drei Sätzen, was ein Sprachmodell macht.</translation>
        </message>
        <message>
            <source>Loading {percent} %</source>
            <translation>Lädt {percent} %</translation>
        </message>
        <message>
            <source>No model is chosen yet.</source>
            <translation>Noch kein Modell gewählt.</translation>
        </message>
        <message>
            <source>Ready to answer</source>
            <translation>Bereit zu antworten</translation>
        </message>
        <message>
            <source>Start</source>
            <translation>Los</translation>
        </message>
        <message>
            <source>Step {n} of 3</source>
            <translation>Schritt {n} von 3</translation>
        </message>
        <message>
            <source>Take one of these, or write your own.</source>
            <translation>Nehmen Sie eine von diesen oder schreiben Sie eine eigene.</translation>
        </message>
        <message>
            <source>Use this pair</source>
            <translation>Dieses Paar verwenden</translation>
        </message>
        <message>
            <source>Welcome to Slipstream</source>
            <translation>Willkommen bei Slipstream</translation>
        </message>
        <message>
            <source>What answers</source>
            <translation>Was antwortet</translation>
        </message>
        <message>
            <source>Write a Python function that says whether a number is prime.</source>
            <translation>Schreibe eine Python-Funktion, die sagt, ob eine Zahl eine Primzahl ist.</translation>
        </message>
        <message>
            <source>Write my own</source>
            <translation>Eigene schreiben</translation>
        </message>
        <message>
            <source>Your first question</source>
            <translation>Ihre erste Frage</translation>
        </message>
        <message>
            <source>{target} with the sidecar {sidecar}</source>
            <translation>{target} mit dem Sidecar {sidecar}</translation>
        </message>
        <message>
            <source>{target}, without a sidecar</source>
            <translation>{target}, ohne Sidecar</translation>
        </message>
    </context>
    <context>
        <name>Folded</name>
        <message>
            <source>Long text · %1 characters</source>
            <translation>Langer Text · %1 Zeichen</translation>
        </message>
    </context>
    <context>
        <name>Headline</name>
        <message>
            <source>Switch speculation off for this conversation.</source>
            <translation>Spekulation für diese Unterhaltung ausschalten.</translation>
        </message>
        <message>
            <source>Turn speculation off</source>
            <translation>Spekulation ausschalten</translation>
        </message>
        <message>
            <source>faster</source>
            <translation>schneller</translation>
        </message>
        <message>
            <source>same speed</source>
            <translation>gleich schnell</translation>
        </message>
        <message>
            <source>slower</source>
            <translation>langsamer</translation>
        </message>
        <message>
            <source>slower –</source>
            <translation>langsamer –</translation>
        </message>
        <message>
            <source>turn it off?</source>
            <translation>ausschalten?</translation>
        </message>
    </context>
    <context>
        <name>HistoryCard</name>
        <message>
            <source>Delete</source>
            <translation>Löschen</translation>
        </message>
        <message>
            <source>Earlier runs of this pair</source>
            <translation>Frühere Läufe dieses Paars</translation>
        </message>
        <message>
            <source>None yet. What you measure is kept here, with every recorded round.</source>
            <translation>Noch keine. Was Sie messen, bleibt hier mit jeder aufgezeichneten Runde erhalten.</translation>
        </message>
        <message>
            <source>Open</source>
            <translation>Öffnen</translation>
        </message>
    </context>
    <context>
        <name>LeftOutMarker</name>
        <message>
            <source>Include again</source>
            <translation>Wieder einbeziehen</translation>
        </message>
        <message>
            <source>Left out up to here</source>
            <translation>Bis hierher weggelassen</translation>
        </message>
        <message>
            <source>Summarised for the model up to here</source>
            <translation>Bis hierher für das Modell zusammengefasst</translation>
        </message>
        <message>
            <source>Summary</source>
            <translation>Zusammenfassung</translation>
        </message>
        <message>
            <source>The model does not read the messages above; they are all kept.</source>
            <translation>Das Modell liest die Nachrichten darüber nicht; sie bleiben alle erhalten.</translation>
        </message>
    </context>
    <context>
        <name>LicencesDialog</name>
        <message>
            <source>Licences</source>
            <translation>Lizenzen</translation>
        </message>
        <message>
            <source>Parts of the program</source>
            <translation>Teile des Programms</translation>
        </message>
        <message>
            <source>Text of the licence</source>
            <translation>Lizenztext</translation>
        </message>
        <message>
            <source>The list of licences cannot be read: {error}</source>
            <translation>Die Liste der Lizenzen kann nicht gelesen werden: {error}</translation>
        </message>
    </context>
    <context>
        <name>LivePanel</name>
        <message>
            <source>1 + accepted / steps that drafted.</source>
            <translation>1 + angenommene / Schritte mit Entwurf.</translation>
        </message>
        <message>
            <source>Acceptance</source>
            <translation>Annahme</translation>
        </message>
        <message>
            <source>Acceptance by position</source>
            <translation>Annahme nach Position</translation>
        </message>
        <message>
            <source>Acceptance is far below what a fitting sidecar gives. It may have been made for another version of this model.</source>
            <translation>Es wird weit weniger angenommen als bei einem passenden Sidecar. Es wurde vielleicht für eine andere Version dieses Modells erstellt.</translation>
        </message>
        <message>
            <source>Accepted / submitted for verification.</source>
            <translation>Angenommene / zur Prüfung vorgelegte.</translation>
        </message>
        <message>
            <source>Accepted tokens</source>
            <translation>Angenommene Token</translation>
        </message>
        <message>
            <source>As many steps as tokens means that speculation brings nothing.</source>
            <translation>So viele Schritte wie Token heißt: Spekulation bringt nichts.</translation>
        </message>
        <message>
            <source>Average</source>
            <translation>Mittel</translation>
        </message>
        <message>
            <source>Bars near zero at the end cost time and bring nothing: shorten the draft.</source>
            <translation>Balken nahe null am Ende kosten Zeit und bringen nichts: Kürzen Sie den Entwurf.</translation>
        </message>
        <message>
            <source>Below 1 speculation costs more than it gives: switch it off or draft fewer tokens.</source>
            <translation>Unter 1 kostet Spekulation mehr, als sie bringt: Schalten Sie sie aus oder entwerfen Sie weniger Token.</translation>
        </message>
        <message>
            <source>Checkpoint rollbacks are dear; many of them call for a shorter draft.</source>
            <translation>Rücknahmen per Sicherungspunkt sind teuer; bei vielen hilft ein kürzerer Entwurf.</translation>
        </message>
        <message>
            <source>Close to 1 means that drafts are wasted work.</source>
            <translation>Nahe 1 heißt: Entwürfe sind vergebliche Arbeit.</translation>
        </message>
        <message>
            <source>Close to the generation speed: raise the batch sizes.</source>
            <translation>Nahe der Erzeugungsgeschwindigkeit: Erhöhen Sie die Batchgrößen.</translation>
        </message>
        <message>
            <source>Compare it with a reply made with speculation off.</source>
            <translation>Vergleichen Sie mit einer Antwort ohne Spekulation.</translation>
        </message>
        <message>
            <source>Copy all figures</source>
            <translation>Alle Messwerte kopieren</translation>
        </message>
        <message>
            <source>Draft</source>
            <translation>Entwerfen</translation>
        </message>
        <message>
            <source>Draft should stay small beside verify; much “other” means that the machine is busy.</source>
            <translation>Entwerfen sollte klein gegen Prüfen bleiben; viel „Sonstiges“ heißt, dass der Rechner anderweitig beschäftigt ist.</translation>
        </message>
        <message>
            <source>Drafted tokens</source>
            <translation>Entworfene Token</translation>
        </message>
        <message>
            <source>Drafted tokens that became part of the reply.</source>
            <translation>Entworfene Token, die Teil der Antwort wurden.</translation>
        </message>
        <message>
            <source>Drafts</source>
            <translation>Entwürfe</translation>
        </message>
        <message>
            <source>Far below the drafted tokens, most of the drafting is wasted.</source>
            <translation>Weit unter den entworfenen Token ist das meiste Entwerfen vergeblich.</translation>
        </message>
        <message>
            <source>First token (TTFT)</source>
            <translation>Erstes Token (TTFT)</translation>
        </message>
        <message>
            <source>Generated tokens / seconds from the end of prefill to the last token.</source>
            <translation>Erzeugte Token / Sekunden vom Ende des Prefills bis zum letzten Token.</translation>
        </message>
        <message>
            <source>How fast the prompt was read.</source>
            <translation>Wie schnell der Prompt gelesen wurde.</translation>
        </message>
        <message>
            <source>How much less time a token takes with speculation, end to end.</source>
            <translation>Wie viel weniger Zeit ein Token mit Spekulation insgesamt braucht.</translation>
        </message>
        <message>
            <source>How often draft 1, 2, 3, … of a step was accepted. A tick: among steps that got that far.</source>
            <translation>Wie oft Entwurf 1, 2, 3, … eines Schritts angenommen wurde. Strich: unter den Schritten, die so weit kamen.</translation>
        </message>
        <message>
            <source>It falls slowly as the reply grows; a sudden drop means that another program is busy.</source>
            <translation>Sie sinkt langsam, während die Antwort wächst; ein plötzlicher Abfall heißt, dass ein anderes Programm rechnet.</translation>
        </message>
        <message>
            <source>It moves with the text: code and lists are drafted better than prose.</source>
            <translation>Sie hängt vom Text ab: Code und Listen lassen sich besser entwerfen als Prosa.</translation>
        </message>
        <message>
            <source>Live panel</source>
            <translation>Live-Anzeige</translation>
        </message>
        <message>
            <source>Long after a short message: the conversation was read again from the start.</source>
            <translation>Lang nach einer kurzen Nachricht: Die Unterhaltung wurde von vorn gelesen.</translation>
        </message>
        <message>
            <source>Mean accepted length</source>
            <translation>Mittlere angenommene Länge</translation>
        </message>
        <message>
            <source>Native: cut from the cache. Checkpoint: state restored and replayed.</source>
            <translation>Nativ: aus dem Cache geschnitten. Sicherungspunkt: Zustand wiederhergestellt und nachgespielt.</translation>
        </message>
        <message>
            <source>Newly read prompt tokens / seconds of prefill; what was still in the cache is left out.</source>
            <translation>Neu gelesene Prompt-Token / Sekunden des Prefills; was noch im Cache lag, zählt nicht.</translation>
        </message>
        <message>
            <source>Notice</source>
            <translation>Hinweis</translation>
        </message>
        <message>
            <source>Now</source>
            <translation>Jetzt</translation>
        </message>
        <message>
            <source>One a step, whether or not it had a draft.</source>
            <translation>Eines pro Schritt, mit oder ohne Entwurf.</translation>
        </message>
        <message>
            <source>Other</source>
            <translation>Sonstiges</translation>
        </message>
        <message>
            <source>Prefill</source>
            <translation>Prefill</translation>
        </message>
        <message>
            <source>Prefill + first step.</source>
            <translation>Prefill + erster Schritt.</translation>
        </message>
        <message>
            <source>Process</source>
            <translation>Verarbeiten</translation>
        </message>
        <message>
            <source>Prompt</source>
            <translation>Prompt</translation>
        </message>
        <message>
            <source>Roll back</source>
            <translation>Zurücknehmen</translation>
        </message>
        <message>
            <source>Rollbacks</source>
            <translation>Rücknahmen</translation>
        </message>
        <message>
            <source>Seconds of each phase / seconds of generation; sampling counts as roll back.</source>
            <translation>Sekunden je Phase / Sekunden der Erzeugung; Sampling zählt zum Zurücknehmen.</translation>
        </message>
        <message>
            <source>Seconds per token: ordinary / speculative, same context, threads and sampling.</source>
            <translation>Sekunden pro Token: normal / spekulativ, bei gleichem Kontext, gleichen Threads und gleichem Sampling.</translation>
        </message>
        <message>
            <source>Share of the drafted tokens that the target agreed with.</source>
            <translation>Anteil der entworfenen Token, denen das Zielmodell zugestimmt hat.</translation>
        </message>
        <message>
            <source>Speed</source>
            <translation>Geschwindigkeit</translation>
        </message>
        <message>
            <source>Speed over the reply</source>
            <translation>Geschwindigkeit im Verlauf der Antwort</translation>
        </message>
        <message>
            <source>Speed over the reply. Filled teal: speculative. Blue line: ordinary. Dotted: suspended.</source>
            <translation>Geschwindigkeit im Verlauf der Antwort. Türkis gefüllt: spekulativ. Blaue Linie: normal. Gepunktet: ausgesetzt.</translation>
        </message>
        <message>
            <source>Speedup</source>
            <translation>Beschleunigung</translation>
        </message>
        <message>
            <source>Steps that committed draft i / steps that drafted.</source>
            <translation>Schritte, die Entwurf i übernahmen / Schritte mit Entwurf.</translation>
        </message>
        <message>
            <source>Steps that rejected at least one draft and took it back from the cache.</source>
            <translation>Schritte, die mindestens einen Entwurf verwarfen und aus dem Cache zurücknahmen.</translation>
        </message>
        <message>
            <source>Sum of the draft lengths of all steps.</source>
            <translation>Summe der Entwurfslängen aller Schritte.</translation>
        </message>
        <message>
            <source>Sum over all steps of the drafts delivered.</source>
            <translation>Summe der übernommenen Entwürfe aller Schritte.</translation>
        </message>
        <message>
            <source>Time split</source>
            <translation>Zeitaufteilung</translation>
        </message>
        <message>
            <source>Time to first token: from sending to the first token of the reply.</source>
            <translation>Zeit bis zum ersten Token: vom Senden bis zum ersten Token der Antwort.</translation>
        </message>
        <message>
            <source>Times the target was run to verify a draft and add a token of its own.</source>
            <translation>Wie oft das Zielmodell lief, um einen Entwurf zu prüfen und ein eigenes Token anzufügen.</translation>
        </message>
        <message>
            <source>Tokens / seconds of stretches of a quarter of a second; the dashed line is the average.</source>
            <translation>Token / Sekunden in Abschnitten von einer Viertelsekunde; die gestrichelte Linie ist das Mittel.</translation>
        </message>
        <message>
            <source>Tokens / seconds of the latest steps.</source>
            <translation>Token / Sekunden der letzten Schritte.</translation>
        </message>
        <message>
            <source>Tokens a second over the last second of decoding.</source>
            <translation>Token pro Sekunde in der letzten Sekunde des Dekodierens.</translation>
        </message>
        <message>
            <source>Tokens a second over the whole reply, reasoning included.</source>
            <translation>Token pro Sekunde über die ganze Antwort, mit Denken.</translation>
        </message>
        <message>
            <source>Tokens a verification step brings on average, the target's own included.</source>
            <translation>Wie viele Token ein Prüfschritt im Mittel bringt, mit dem eigenen des Zielmodells.</translation>
        </message>
        <message>
            <source>Tokens the sidecar proposed in this reply.</source>
            <translation>Token, die das Sidecar in dieser Antwort vorgeschlagen hat.</translation>
        </message>
        <message>
            <source>Under 10 % the sidecar was probably made for another model. High is no proof of speed.</source>
            <translation>Unter 10 % wurde das Sidecar wohl für ein anderes Modell erstellt. Ein hoher Wert beweist noch kein Tempo.</translation>
        </message>
        <message>
            <source>Verification steps</source>
            <translation>Prüfschritte</translation>
        </message>
        <message>
            <source>Verify</source>
            <translation>Prüfen</translation>
        </message>
        <message>
            <source>Where the time of the reply went. Prefill is not part of it.</source>
            <translation>Wohin die Zeit der Antwort ging. Das Prefill zählt nicht dazu.</translation>
        </message>
        <message>
            <source>Zero while speculation is on means that it is suspended.</source>
            <translation>Null bei eingeschalteter Spekulation heißt, dass sie ausgesetzt ist.</translation>
        </message>
        <message>
            <source>at the same context length; go on chatting in both</source>
            <translation>bei gleicher Kontextlänge; chatten Sie in beiden weiter</translation>
        </message>
        <message>
            <source>choose a model and chat; the comparison with ordinary decoding appears here</source>
            <translation>wählen Sie ein Modell und chatten Sie; hier erscheint der Vergleich mit normalem Dekodieren</translation>
        </message>
        <message>
            <source>go on chatting</source>
            <translation>chatten Sie weiter</translation>
        </message>
        <message>
            <source>measured on {ordinary} ordinary and {speculative} speculative tokens, context {span}</source>
            <translation>gemessen an {ordinary} normalen und {speculative} spekulativen Token, Kontext {span}</translation>
        </message>
        <message>
            <source>native {native} · checkpoint {checkpoint}</source>
            <translation>nativ {native} · Sicherungspunkt {checkpoint}</translation>
        </message>
        <message>
            <source>needs speculation: choose a sidecar that fits this model</source>
            <translation>braucht Spekulation: Wählen Sie ein Sidecar, das zu diesem Modell passt</translation>
        </message>
        <message>
            <source>needs {n} tokens of each: ordinary {ordinary}, speculative {speculative} – {hint}</source>
            <translation>braucht je {n} Token: normal {ordinary}, spekulativ {speculative} – {hint}</translation>
        </message>
        <message>
            <source>ordinary {ordinary}, speculative {speculative}, but not {n} of each – {hint}</source>
            <translation>normal {ordinary}, spekulativ {speculative}, aber nicht je {n} – {hint}</translation>
        </message>
        <message>
            <source>send a message</source>
            <translation>senden Sie eine Nachricht</translation>
        </message>
        <message>
            <source>switch speculation off for one reply</source>
            <translation>schalten Sie die Spekulation für eine Antwort aus</translation>
        </message>
        <message>
            <source>switch speculation on for one reply</source>
            <translation>schalten Sie die Spekulation für eine Antwort ein</translation>
        </message>
        <message>
            <source>{reused} of {total} reused</source>
            <translation>{reused} von {total} wiederverwendet</translation>
        </message>
    </context>
    <context>
        <name>LoadMessage</name>
        <message>
            <source>Cancel</source>
            <translation>Abbrechen</translation>
        </message>
        <message>
            <source>Cancel loading</source>
            <translation>Laden abbrechen</translation>
        </message>
    </context>
    <context>
        <name>MainWindow</name>
        <message>
            <source>Choose a sidecar</source>
            <translation>Sidecar wählen</translation>
        </message>
        <message>
            <source>Choose a target model</source>
            <translation>Zielmodell wählen</translation>
        </message>
        <message>
            <source>Conversation</source>
            <translation>Unterhaltung</translation>
        </message>
        <message>
            <source>Hide the live panel (Ctrl+J)</source>
            <translation>Live-Anzeige ausblenden (Strg+J)</translation>
        </message>
    </context>
    <context>
        <name>MessageDetails</name>
        <message>
            <source>Accepted</source>
            <translation>Angenommen</translation>
        </message>
        <message>
            <source>Algorithm</source>
            <translation>Algorithmus</translation>
        </message>
        <message>
            <source>Attached</source>
            <translation>Angehängt</translation>
        </message>
        <message>
            <source>Characters</source>
            <translation>Zeichen</translation>
        </message>
        <message>
            <source>Context</source>
            <translation>Kontext</translation>
        </message>
        <message>
            <source>Copy all of this</source>
            <translation>Alles kopieren</translation>
        </message>
        <message>
            <source>Decoded</source>
            <translation>Dekodiert</translation>
        </message>
        <message>
            <source>Details of the message</source>
            <translation>Details der Nachricht</translation>
        </message>
        <message>
            <source>Ended</source>
            <translation>Beendet</translation>
        </message>
        <message>
            <source>First token after</source>
            <translation>Erstes Token nach</translation>
        </message>
        <message>
            <source>Generated</source>
            <translation>Erzeugt</translation>
        </message>
        <message>
            <source>Length</source>
            <translation>Länge</translation>
        </message>
        <message>
            <source>Message</source>
            <translation>Nachricht</translation>
        </message>
        <message>
            <source>Pair</source>
            <translation>Paar</translation>
        </message>
        <message>
            <source>Prompt</source>
            <translation>Prompt</translation>
        </message>
        <message>
            <source>Rollbacks</source>
            <translation>Rücknahmen</translation>
        </message>
        <message>
            <source>Sampling</source>
            <translation>Sampling</translation>
        </message>
        <message>
            <source>Seed</source>
            <translation>Seed</translation>
        </message>
        <message>
            <source>Settings</source>
            <translation>Einstellungen</translation>
        </message>
        <message>
            <source>Sidecar</source>
            <translation>Sidecar</translation>
        </message>
        <message>
            <source>Speed</source>
            <translation>Geschwindigkeit</translation>
        </message>
        <message>
            <source>Statistics</source>
            <translation>Statistik</translation>
        </message>
        <message>
            <source>Target</source>
            <translation>Zielmodell</translation>
        </message>
        <message>
            <source>Thought</source>
            <translation>Gedacht</translation>
        </message>
        <message>
            <source>Written</source>
            <translation>Geschrieben</translation>
        </message>
        <message>
            <source>by itself</source>
            <translation>von selbst</translation>
        </message>
        <message>
            <source>cut off</source>
            <translation>abgeschnitten</translation>
        </message>
        <message>
            <source>failed</source>
            <translation>fehlgeschlagen</translation>
        </message>
        <message>
            <source>is being written</source>
            <translation>wird geschrieben</translation>
        </message>
        <message>
            <source>ordinarily</source>
            <translation>normal</translation>
        </message>
        <message>
            <source>ordinarily, drafting suspended</source>
            <translation>normal, Entwerfen ausgesetzt</translation>
        </message>
        <message>
            <source>partly speculatively</source>
            <translation>teils spekulativ</translation>
        </message>
        <message>
            <source>speculatively</source>
            <translation>spekulativ</translation>
        </message>
        <message>
            <source>stopped</source>
            <translation>angehalten</translation>
        </message>
        <message>
            <source>{n} tokens</source>
            <translation>{n} Token</translation>
        </message>
        <message>
            <source>{n} tokens in {time}</source>
            <translation>{n} Token in {time}</translation>
        </message>
        <message>
            <source>{n} tokens, {reused} of them reused</source>
            <translation>{n} Token, davon {reused} wiederverwendet</translation>
        </message>
        <message>
            <source>{rate}: {accepted} of {verified} drafts</source>
            <translation>{rate}: {accepted} von {verified} Entwürfen</translation>
        </message>
    </context>
    <context>
        <name>MessageList</name>
        <message>
            <source>Conversation</source>
            <translation>Unterhaltung</translation>
        </message>
        <message>
            <source>Jump to latest</source>
            <translation>Zum Neuesten</translation>
        </message>
    </context>
    <context>
        <name>MessageRow</name>
        <message>
            <source>Copy as Markdown</source>
            <translation>Als Markdown kopieren</translation>
        </message>
        <message>
            <source>Copy as text</source>
            <translation>Als Text kopieren</translation>
        </message>
        <message>
            <source>Copy message</source>
            <translation>Nachricht kopieren</translation>
        </message>
        <message>
            <source>Delete</source>
            <translation>Löschen</translation>
        </message>
        <message>
            <source>Details…</source>
            <translation>Details …</translation>
        </message>
        <message>
            <source>Message</source>
            <translation>Nachricht</translation>
        </message>
        <message>
            <source>More about this message</source>
            <translation>Mehr zu dieser Nachricht</translation>
        </message>
    </context>
    <context>
        <name>ModelMenu</name>
        <message>
            <source>Found models</source>
            <translation>Gefundene Modelle</translation>
        </message>
        <message>
            <source>Open file…</source>
            <translation>Datei öffnen …</translation>
        </message>
    </context>
    <context>
        <name>ModelSelector</name>
        <message>
            <source>Click to choose, or drop a .gguf file here.</source>
            <translation>Zum Wählen klicken oder eine .gguf-Datei hier ablegen.</translation>
        </message>
    </context>
    <context>
        <name>NoticeStrip</name>
        <message>
            <source>Dismiss</source>
            <translation>Schließen</translation>
        </message>
        <message>
            <source>Progress</source>
            <translation>Fortschritt</translation>
        </message>
        <message>
            <source>Stop</source>
            <translation>Anhalten</translation>
        </message>
    </context>
    <context>
        <name>NumberField</name>
        <message>
            <source>Type a number; the up and down keys change it.</source>
            <translation>Geben Sie eine Zahl ein; die Tasten Auf und Ab ändern sie.</translation>
        </message>
    </context>
    <context>
        <name>Numbers</name>
        <message>
            <source>{n} tok/s</source>
            <translation>{n} Tok/s</translation>
        </message>
        <message>
            <source>{n} tok/step</source>
            <translation>{n} Tok/Schritt</translation>
        </message>
    </context>
    <context>
        <name>PairBar</name>
        <message>
            <source>Cancel loading</source>
            <translation>Laden abbrechen</translation>
        </message>
        <message>
            <source>Chatting works; every token comes from the target alone.</source>
            <translation>Chatten funktioniert; jedes Token kommt allein vom Zielmodell.</translation>
        </message>
        <message>
            <source>Choose a model</source>
            <translation>Modell wählen</translation>
        </message>
        <message>
            <source>Choose a sidecar</source>
            <translation>Sidecar wählen</translation>
        </message>
        <message>
            <source>Choose a target model, and a sidecar trained for it, to start.</source>
            <translation>Wählen Sie zum Start ein Zielmodell und ein dafür trainiertes Sidecar.</translation>
        </message>
        <message>
            <source>Drafts were accepted too rarely to pay, so the target decodes on its own for now.</source>
            <translation>Entwürfe wurden zu selten angenommen, um sich zu lohnen; das Zielmodell dekodiert vorerst allein.</translation>
        </message>
        <message>
            <source>No models found in the model folders.</source>
            <translation>In den Modellordnern wurden keine Modelle gefunden.</translation>
        </message>
        <message>
            <source>No sidecar</source>
            <translation>Kein Sidecar</translation>
        </message>
        <message>
            <source>No sidecars found in the model folders.</source>
            <translation>In den Modellordnern wurden keine Sidecars gefunden.</translation>
        </message>
        <message>
            <source>Open settings</source>
            <translation>Einstellungen öffnen</translation>
        </message>
        <message>
            <source>Sidecar</source>
            <translation>Sidecar</translation>
        </message>
        <message>
            <source>Speculation</source>
            <translation>Spekulation</translation>
        </message>
        <message>
            <source>Speculation is tried again by itself; nothing needs to be done.</source>
            <translation>Spekulation wird von selbst wieder versucht; Sie müssen nichts tun.</translation>
        </message>
        <message>
            <source>Switch off</source>
            <translation>Ausschalten</translation>
        </message>
        <message>
            <source>Switch on</source>
            <translation>Einschalten</translation>
        </message>
        <message>
            <source>Switch speculation on or off, also in the middle of a reply.</source>
            <translation>Spekulation ein- oder ausschalten, auch mitten in einer Antwort.</translation>
        </message>
        <message>
            <source>Target model</source>
            <translation>Zielmodell</translation>
        </message>
        <message>
            <source>The length is chosen while you chat: as long as it pays.</source>
            <translation>Die Länge wird beim Chatten gewählt: so lang, wie es sich lohnt.</translation>
        </message>
        <message>
            <source>The sidecar</source>
            <translation>Das Sidecar</translation>
        </message>
        <message>
            <source>The target decodes on its own: this is what speculation is compared with.</source>
            <translation>Das Zielmodell dekodiert allein: Damit wird die Spekulation verglichen.</translation>
        </message>
        <message>
            <source>{algorithm} drafts up to {n} tokens a step; the target verifies each of them.</source>
            <translation>{algorithm} entwirft bis zu {n} Token pro Schritt; das Zielmodell prüft jedes davon.</translation>
        </message>
    </context>
    <context>
        <name>PairBinder</name>
        <message>
            <source>Loading the model</source>
            <translation>Modell wird geladen</translation>
        </message>
    </context>
    <context>
        <name>PairPage</name>
        <message>
            <source>0 to 512.</source>
            <translation>0 bis 512.</translation>
        </message>
        <message>
            <source>1 or more.</source>
            <translation>1 oder mehr.</translation>
        </message>
        <message>
            <source>1 or more; this sidecar drafts {n} at most.</source>
            <translation>1 oder mehr; dieses Sidecar entwirft höchstens {n}.</translation>
        </message>
        <message>
            <source>64 or more.</source>
            <translation>64 oder mehr.</translation>
        </message>
        <message>
            <source>64 or more; it was trained for {n}.</source>
            <translation>64 oder mehr; trainiert wurde es für {n}.</translation>
        </message>
        <message>
            <source>A draft ends at the first token less probable than this. 0 to 1; 0 never ends it.</source>
            <translation>Ein Entwurf endet beim ersten Token, das unwahrscheinlicher ist. 0 bis 1; bei 0 nie.</translation>
        </message>
        <message>
            <source>Algorithm</source>
            <translation>Algorithmus</translation>
        </message>
        <message>
            <source>Automatic draft length</source>
            <translation>Automatische Entwurfslänge</translation>
        </message>
        <message>
            <source>Batch size</source>
            <translation>Batchgröße</translation>
        </message>
        <message>
            <source>Choose draft tokens on the device, where that is supported. Saves copying on a GPU.</source>
            <translation>Entwurfs-Token auf dem Gerät wählen, wo das unterstützt wird. Spart Kopieren auf einer GPU.</translation>
        </message>
        <message>
            <source>Choose the target's tokens on the device, where all steps of the sampling can run there.</source>
            <translation>Die Token des Zielmodells auf dem Gerät wählen, wenn alle Schritte des Samplings dort laufen können.</translation>
        </message>
        <message>
            <source>Context and memory</source>
            <translation>Kontext und Speicher</translation>
        </message>
        <message>
            <source>Context length</source>
            <translation>Kontextlänge</translation>
        </message>
        <message>
            <source>Draft length</source>
            <translation>Entwurfslänge</translation>
        </message>
        <message>
            <source>Draft sampling on the device</source>
            <translation>Entwurfs-Sampling auf dem Gerät</translation>
        </message>
        <message>
            <source>Drafts as much as pays and pauses when nothing does. Off: always the length below.</source>
            <translation>Entwirft so viel, wie sich lohnt, und pausiert sonst. Aus: immer die Länge darunter.</translation>
        </message>
        <message>
            <source>Faster attention with less memory, where the hardware can do it.</source>
            <translation>Schnellere Attention mit weniger Speicher, wo die Hardware es kann.</translation>
        </message>
        <message>
            <source>Flash attention</source>
            <translation>Flash Attention</translation>
        </message>
        <message>
            <source>How keys are stored. f16 is exact enough; q8_0 halves the memory.</source>
            <translation>Wie Schlüssel gespeichert werden. f16 ist genau genug; q8_0 halbiert den Speicher.</translation>
        </message>
        <message>
            <source>How much of the conversation the model sees. Memory grows with it.</source>
            <translation>Wie viel der Unterhaltung das Modell sieht. Der Speicherbedarf wächst mit.</translation>
        </message>
        <message>
            <source>How values are stored. Quantised ones need flash attention.</source>
            <translation>Wie Werte gespeichert werden. Quantisierte brauchen Flash Attention.</translation>
        </message>
        <message>
            <source>Key cache type</source>
            <translation>Typ des Schlüssel-Caches</translation>
        </message>
        <message>
            <source>Least probability</source>
            <translation>Mindestwahrscheinlichkeit</translation>
        </message>
        <message>
            <source>Most tokens drafted a step. Longer pays for code and lists, shorter for prose.</source>
            <translation>Höchstzahl entworfener Token pro Schritt. Länger lohnt sich bei Code und Listen, kürzer bei Prosa.</translation>
        </message>
        <message>
            <source>N-grams repeat what the text has said before and need no sidecar.</source>
            <translation>N-Gramme wiederholen, was im Text schon stand, und brauchen kein Sidecar.</translation>
        </message>
        <message>
            <source>No pair is chosen; these settings are used for the next one.</source>
            <translation>Es ist kein Paar gewählt; diese Einstellungen gelten für das nächste.</translation>
        </message>
        <message>
            <source>Pair</source>
            <translation>Paar</translation>
        </message>
        <message>
            <source>Physical batch size</source>
            <translation>Physische Batchgröße</translation>
        </message>
        <message>
            <source>Processor threads for decoding; 0 uses one a core.</source>
            <translation>Prozessor-Threads fürs Dekodieren; 0 nutzt einen pro Kern.</translation>
        </message>
        <message>
            <source>Shorter drafts are thrown away. 0 to the draft length; 0 keeps all.</source>
            <translation>Kürzere Entwürfe werden verworfen. 0 bis zur Entwurfslänge; 0 behält alle.</translation>
        </message>
        <message>
            <source>Shortest draft</source>
            <translation>Kürzester Entwurf</translation>
        </message>
        <message>
            <source>Sidecar layers on the GPU</source>
            <translation>Sidecar-Schichten auf der GPU</translation>
        </message>
        <message>
            <source>Speculation</source>
            <translation>Spekulation</translation>
        </message>
        <message>
            <source>Speed</source>
            <translation>Geschwindigkeit</translation>
        </message>
        <message>
            <source>Target layers on the GPU</source>
            <translation>Zielmodell-Schichten auf der GPU</translation>
        </message>
        <message>
            <source>Target sampling on the device</source>
            <translation>Ziel-Sampling auf dem Gerät</translation>
        </message>
        <message>
            <source>These settings belong to the chosen pair. Fields marked with an arrow need a reload.</source>
            <translation>Diese Einstellungen gehören zum gewählten Paar. Felder mit Pfeil brauchen ein Neuladen.</translation>
        </message>
        <message>
            <source>This machine has {n} cores.</source>
            <translation>Dieser Rechner hat {n} Kerne.</translation>
        </message>
        <message>
            <source>Threads</source>
            <translation>Threads</translation>
        </message>
        <message>
            <source>Tokens computed at once: from 1 to the batch size. Larger needs more memory.</source>
            <translation>Gleichzeitig berechnete Token: 1 bis zur Batchgröße. Größer braucht mehr Speicher.</translation>
        </message>
        <message>
            <source>Tokens of the prompt handed over at once. At least the draft length and one more.</source>
            <translation>Auf einmal übergebene Prompt-Token. Mindestens die Entwurfslänge und eins mehr.</translation>
        </message>
        <message>
            <source>Value cache type</source>
            <translation>Typ des Werte-Caches</translation>
        </message>
        <message>
            <source>a smaller model as sidecar</source>
            <translation>kleineres Modell als Sidecar</translation>
        </message>
        <message>
            <source>all</source>
            <translation>alle</translation>
        </message>
        <message>
            <source>all, auto, or a number from 0. Best where the target's layers are.</source>
            <translation>all, auto oder eine Zahl ab 0. Am besten dort, wo die Schichten des Zielmodells sind.</translation>
        </message>
        <message>
            <source>all, auto, or a number from 0. Without a GPU it changes nothing.</source>
            <translation>all, auto oder eine Zahl ab 0. Ohne GPU ändert es nichts.</translation>
        </message>
        <message>
            <source>auto</source>
            <translation>auto</translation>
        </message>
        <message>
            <source>heads inside the target</source>
            <translation>Köpfe im Zielmodell</translation>
        </message>
        <message>
            <source>layers</source>
            <translation>Schichten</translation>
        </message>
        <message>
            <source>n-grams, cache</source>
            <translation>N-Gramme, Cache</translation>
        </message>
        <message>
            <source>n-grams, map K</source>
            <translation>N-Gramme, Map K</translation>
        </message>
        <message>
            <source>n-grams, map K4V</source>
            <translation>N-Gramme, Map K4V</translation>
        </message>
        <message>
            <source>n-grams, mod</source>
            <translation>N-Gramme, Mod</translation>
        </message>
        <message>
            <source>n-grams, simple</source>
            <translation>N-Gramme, einfach</translation>
        </message>
        <message>
            <source>n-grams, then the sidecar</source>
            <translation>N-Gramme, dann Sidecar</translation>
        </message>
        <message>
            <source>off</source>
            <translation>aus</translation>
        </message>
        <message>
            <source>on</source>
            <translation>ein</translation>
        </message>
        <message>
            <source>the sidecar's</source>
            <translation>des Sidecars</translation>
        </message>
        <message>
            <source>threads</source>
            <translation>Threads</translation>
        </message>
        <message>
            <source>tokens</source>
            <translation>Token</translation>
        </message>
    </context>
    <context>
        <name>PositionBars</name>
        <message>
            <source>Draft {i}: accepted in {rate} of the steps that drafted.</source>
            <translation>Entwurf {i}: in {rate} der Schritte mit Entwurf angenommen.</translation>
        </message>
        <message>
            <source>Of the steps that got this far: {rate}.</source>
            <translation>Von den Schritten, die so weit kamen: {rate}.</translation>
        </message>
    </context>
    <context>
        <name>ProblemCard</name>
        <message>
            <source>Choose a sidecar…</source>
            <translation>Sidecar wählen …</translation>
        </message>
        <message>
            <source>Choose a target…</source>
            <translation>Zielmodell wählen …</translation>
        </message>
        <message>
            <source>Copy report</source>
            <translation>Bericht kopieren</translation>
        </message>
        <message>
            <source>Dismiss</source>
            <translation>Schließen</translation>
        </message>
        <message>
            <source>Load again</source>
            <translation>Neu laden</translation>
        </message>
        <message>
            <source>Load without the sidecar</source>
            <translation>Ohne Sidecar laden</translation>
        </message>
        <message>
            <source>New chat</source>
            <translation>Neuer Chat</translation>
        </message>
        <message>
            <source>Open settings</source>
            <translation>Einstellungen öffnen</translation>
        </message>
    </context>
    <context>
        <name>PromptBinder</name>
        <message>
            <source>(your message)</source>
            <translation>(Ihre Nachricht)</translation>
        </message>
    </context>
    <context>
        <name>PromptDialog</name>
        <message>
            <source>Copy</source>
            <translation>Kopieren</translation>
        </message>
        <message>
            <source>Prompt</source>
            <translation>Prompt</translation>
        </message>
        <message>
            <source>Set off in colour: single tokens of the model's own, such as the end of a turn.</source>
            <translation>Farbig: einzelne eigene Token des Modells, etwa das Ende eines Beitrags.</translation>
        </message>
        <message>
            <source>Tokens unknown · {template}</source>
            <translation>Tokenzahl unbekannt · {template}</translation>
        </message>
        <message>
            <source>Waiting for the engine</source>
            <translation>Warten auf die Engine</translation>
        </message>
        <message>
            <source>What the model reads next: this conversation and what you are writing, as the template puts it.</source>
            <translation>Was das Modell als Nächstes liest: diese Unterhaltung und was Sie gerade schreiben, in der Form der Vorlage.</translation>
        </message>
        <message>
            <source>template {name}</source>
            <translation>Vorlage {name}</translation>
        </message>
        <message>
            <source>the edited template</source>
            <translation>bearbeitete Vorlage</translation>
        </message>
        <message>
            <source>the model's own template</source>
            <translation>Vorlage des Modells</translation>
        </message>
        <message>
            <source>{n} tokens · {template}</source>
            <translation>{n} Token · {template}</translation>
        </message>
    </context>
    <context>
        <name>ProseView</name>
        <message>
            <source>Reply</source>
            <translation>Antwort</translation>
        </message>
    </context>
    <context>
        <name>ReloadMessage</name>
        <message>
            <source>Reload</source>
            <translation>Neu laden</translation>
        </message>
        <message>
            <source>Settings changed; they take effect after a reload.</source>
            <translation>Einstellungen geändert; sie wirken nach dem Neuladen.</translation>
        </message>
    </context>
    <context>
        <name>ReplyNotifier</name>
        <message>
            <source>The reply is ready</source>
            <translation>Die Antwort ist fertig</translation>
        </message>
    </context>
    <context>
        <name>ReplyRow</name>
        <message>
            <source>Answer again</source>
            <translation>Neu antworten</translation>
        </message>
        <message>
            <source>Broken off</source>
            <translation>Abgebrochen</translation>
        </message>
        <message>
            <source>Cut off at the limit</source>
            <translation>Am Limit abgeschnitten</translation>
        </message>
        <message>
            <source>Cut off at the limit of {n} tokens</source>
            <translation>Am Limit von {n} Token abgeschnitten</translation>
        </message>
        <message>
            <source>Cut off: the context of {n} tokens is full</source>
            <translation>Abgeschnitten: Der Kontext von {n} Token ist voll</translation>
        </message>
        <message>
            <source>Go on with this reply</source>
            <translation>Diese Antwort fortsetzen</translation>
        </message>
        <message>
            <source>Hide drafts</source>
            <translation>Entwürfe ausblenden</translation>
        </message>
        <message>
            <source>Reading the prompt</source>
            <translation>Prompt wird gelesen</translation>
        </message>
        <message>
            <source>Reply</source>
            <translation>Antwort</translation>
        </message>
        <message>
            <source>Show drafts</source>
            <translation>Entwürfe zeigen</translation>
        </message>
        <message>
            <source>Stopped</source>
            <translation>Angehalten</translation>
        </message>
        <message>
            <source>Stopped before the first word</source>
            <translation>Vor dem ersten Wort angehalten</translation>
        </message>
        <message>
            <source>The draft is catching up</source>
            <translation>Der Entwurf holt auf</translation>
        </message>
        <message>
            <source>The model ended its reply without a word</source>
            <translation>Das Modell hat seine Antwort ohne ein Wort beendet</translation>
        </message>
        <message>
            <source>Thinking</source>
            <translation>Denkt</translation>
        </message>
        <message>
            <source>Thinking for {time} · {n} tokens</source>
            <translation>Denkt seit {time} · {n} Token</translation>
        </message>
        <message>
            <source>This reply failed</source>
            <translation>Diese Antwort ist fehlgeschlagen</translation>
        </message>
        <message>
            <source>Thought</source>
            <translation>Gedanken</translation>
        </message>
        <message>
            <source>Thought for {time} · {n} tokens</source>
            <translation>{time} gedacht · {n} Token</translation>
        </message>
        <message>
            <source>Waiting for the model to load</source>
            <translation>Wartet, bis das Modell geladen ist</translation>
        </message>
        <message>
            <source>Waiting for the other reply to end</source>
            <translation>Wartet auf das Ende der anderen Antwort</translation>
        </message>
        <message>
            <source>ordinary decoding</source>
            <translation>normales Dekodieren</translation>
        </message>
        <message>
            <source>{rate} accepted</source>
            <translation>{rate} angenommen</translation>
        </message>
    </context>
    <context>
        <name>ResultView</name>
        <message>
            <source>Copy report</source>
            <translation>Bericht kopieren</translation>
        </message>
        <message>
            <source>Draft length</source>
            <translation>Entwurfslänge</translation>
        </message>
        <message>
            <source>Every recorded round; slipstream bench --recount checks it.</source>
            <translation>Jede aufgezeichnete Runde; slipstream bench --recount prüft sie.</translation>
        </message>
        <message>
            <source>In use for this pair</source>
            <translation>Für dieses Paar in Gebrauch</translation>
        </message>
        <message>
            <source>Is the text the same?</source>
            <translation>Ist der Text derselbe?</translation>
        </message>
        <message>
            <source>It was stopped early. The figures are those of what was finished.</source>
            <translation>Vorzeitig beendet. Die Zahlen gelten für das, was fertig wurde.</translation>
        </message>
        <message>
            <source>Ordinary against speculative</source>
            <translation>Normal gegen spekulativ</translation>
        </message>
        <message>
            <source>Ordinary against speculative decoding</source>
            <translation>Normales gegen spekulatives Dekodieren</translation>
        </message>
        <message>
            <source>Result</source>
            <translation>Ergebnis</translation>
        </message>
        <message>
            <source>Save CSV…</source>
            <translation>CSV speichern …</translation>
        </message>
        <message>
            <source>Save JSON…</source>
            <translation>JSON speichern …</translation>
        </message>
        <message>
            <source>Save picture…</source>
            <translation>Bild speichern …</translation>
        </message>
        <message>
            <source>Speedup and acceptance by draft length</source>
            <translation>Beschleunigung und Annahme nach Entwurfslänge</translation>
        </message>
        <message>
            <source>Switch speculation off for the pair</source>
            <translation>Spekulation für das Paar ausschalten</translation>
        </message>
        <message>
            <source>The whole run as Markdown, without private paths and names.</source>
            <translation>Der ganze Lauf als Markdown, ohne private Pfade und Namen.</translation>
        </message>
        <message>
            <source>Use this length for the pair</source>
            <translation>Diese Länge für das Paar verwenden</translation>
        </message>
    </context>
    <context>
        <name>RunningCard</name>
        <message>
            <source>All so far</source>
            <translation>Alles bisher</translation>
        </message>
        <message>
            <source>Progress of the benchmark</source>
            <translation>Fortschritt des Benchmarks</translation>
        </message>
        <message>
            <source>So far</source>
            <translation>Bisher</translation>
        </message>
        <message>
            <source>So far, by draft length</source>
            <translation>Bisher, nach Entwurfslänge</translation>
        </message>
        <message>
            <source>Starting</source>
            <translation>Startet</translation>
        </message>
        <message>
            <source>Stop</source>
            <translation>Anhalten</translation>
        </message>
        <message>
            <source>What is measured so far is kept.</source>
            <translation>Was bisher gemessen wurde, bleibt erhalten.</translation>
        </message>
        <message>
            <source>ordinary</source>
            <translation>normal</translation>
        </message>
        <message>
            <source>speculative</source>
            <translation>spekulativ</translation>
        </message>
        <message>
            <source>stopping</source>
            <translation>wird angehalten</translation>
        </message>
    </context>
    <context>
        <name>Said</name>
        <message>
            <source>$ before the end</source>
            <translation>$ vor dem Ende</translation>
        </message>
        <message>
            <source>(none)</source>
            <translation>(keine)</translation>
        </message>
        <message>
            <source>1 pair</source>
            <translation>1 Paar</translation>
        </message>
        <message>
            <source>95 % interval</source>
            <translation>95-%-Intervall</translation>
        </message>
        <message>
            <source>A grammar is followed on the host.</source>
            <translation>Eine Grammatik wird auf dem Host befolgt.</translation>
        </message>
        <message>
            <source>A key has no name.</source>
            <translation>Ein Schlüssel hat keinen Namen.</translation>
        </message>
        <message>
            <source>A message has no role.</source>
            <translation>Eine Nachricht hat keine Rolle.</translation>
        </message>
        <message>
            <source>A model is one file.</source>
            <translation>Ein Modell ist eine Datei.</translation>
        </message>
        <message>
            <source>A model is opened by its first part.</source>
            <translation>Ein Modell wird über seinen ersten Teil geöffnet.</translation>
        </message>
        <message>
            <source>A part of the model is missing: {names}{more}.</source>
            <translation>Ein Teil des Modells fehlt: {names}{more}.</translation>
        </message>
        <message>
            <source>A part of this model is missing.</source>
            <translation>Ein Teil dieses Modells fehlt.</translation>
        </message>
        <message>
            <source>A quantised cache of values needs flash attention, which is switched off.</source>
            <translation>Ein quantisierter Werte-Cache braucht Flash Attention, die ausgeschaltet ist.</translation>
        </message>
        <message>
            <source>A sidecar is trained to draft for one target.</source>
            <translation>Ein Sidecar wird darauf trainiert, für ein bestimmtes Zielmodell zu entwerfen.</translation>
        </message>
        <message>
            <source>A sidecar's sizes follow from the target's.</source>
            <translation>Die Größen eines Sidecars folgen aus denen des Zielmodells.</translation>
        </message>
        <message>
            <source>A tensor is in more than one of its parts.</source>
            <translation>Ein Tensor steckt in mehr als einem seiner Teile.</translation>
        </message>
        <message>
            <source>A text of {length:,} bytes stands where a short one belongs.</source>
            <translation>Wo ein kurzer Text hingehört, steht einer mit {length:,} Byte.</translation>
        </message>
        <message>
            <source>Allow writing there, or set SLIPSTREAM_HOME to another folder.</source>
            <translation>Erlauben Sie dort das Schreiben, oder setzen Sie SLIPSTREAM_HOME auf einen anderen Ordner.</translation>
        </message>
        <message>
            <source>Another program keeps the conversations file locked.</source>
            <translation>Ein anderes Programm hält die Datei mit den Unterhaltungen gesperrt.</translation>
        </message>
        <message>
            <source>Ask for {kind} or for auto, or choose another sidecar.</source>
            <translation>Verlangen Sie {kind} oder auto, oder wählen Sie ein anderes Sidecar.</translation>
        </message>
        <message>
            <source>Ask for {to_str}, or choose another sidecar.</source>
            <translation>Verlangen Sie {to_str}, oder wählen Sie ein anderes Sidecar.</translation>
        </message>
        <message>
            <source>Automatic {name}: {ours} in the target, {theirs} in the draft.</source>
            <translation>Automatisches {name}: {ours} im Zielmodell, {theirs} im Entwurfsmodell.</translation>
        </message>
        <message>
            <source>Both are “{name}”, so nothing would be gained.</source>
            <translation>Beides ist „{name}“, es wäre also nichts gewonnen.</translation>
        </message>
        <message>
            <source>CPU</source>
            <translation>CPU</translation>
        </message>
        <message>
            <source>Change the grammar, or answer again.</source>
            <translation>Ändern Sie die Grammatik oder lassen Sie neu antworten.</translation>
        </message>
        <message>
            <source>Change the grammar, or answer without one.</source>
            <translation>Ändern Sie die Grammatik, oder antworten Sie ohne.</translation>
        </message>
        <message>
            <source>Change the schema, or answer without one.</source>
            <translation>Ändern Sie das Schema, oder antworten Sie ohne.</translation>
        </message>
        <message>
            <source>Check that the file is complete, or choose another one.</source>
            <translation>Prüfen Sie, ob die Datei vollständig ist, oder wählen Sie eine andere.</translation>
        </message>
        <message>
            <source>Check that the folder is still there and the disk is well.</source>
            <translation>Prüfen Sie, ob der Ordner noch da ist und der Datenträger in Ordnung ist.</translation>
        </message>
        <message>
            <source>Check that you may read the file and that its drive is connected.</source>
            <translation>Prüfen Sie, ob Sie die Datei lesen dürfen und ihr Laufwerk verbunden ist.</translation>
        </message>
        <message>
            <source>Checking that drafts can be taken back</source>
            <translation>Es wird geprüft, ob Entwürfe zurückgenommen werden können</translation>
        </message>
        <message>
            <source>Choose a .gguf file in it.</source>
            <translation>Wählen Sie eine .gguf-Datei darin.</translation>
        </message>
        <message>
            <source>Choose a .gguf file.</source>
            <translation>Wählen Sie eine .gguf-Datei.</translation>
        </message>
        <message>
            <source>Choose a chat model.</source>
            <translation>Wählen Sie ein Chat-Modell.</translation>
        </message>
        <message>
            <source>Choose a file exported by Slipstream, or conversations.json or the zip of ChatGPT.</source>
            <translation>Wählen Sie eine von Slipstream exportierte Datei oder conversations.json bzw. die Zip-Datei von ChatGPT.</translation>
        </message>
        <message>
            <source>Choose a file made by the native project's lookup tools, or go on without one.</source>
            <translation>Wählen Sie eine Datei aus den Lookup-Werkzeugen des nativen Projekts oder machen Sie ohne weiter.</translation>
        </message>
        <message>
            <source>Choose a file of the model that was converted with its heads, or a file that holds them.</source>
            <translation>Wählen Sie eine Datei des Modells, die mit seinen Köpfen konvertiert wurde, oder eine Datei, die sie enthält.</translation>
        </message>
        <message>
            <source>Choose a file with prompts first.</source>
            <translation>Wählen Sie zuerst eine Datei mit Prompts.</translation>
        </message>
        <message>
            <source>Choose a model first.</source>
            <translation>Wählen Sie zuerst ein Modell.</translation>
        </message>
        <message>
            <source>Choose a model.</source>
            <translation>Wählen Sie ein Modell.</translation>
        </message>
        <message>
            <source>Choose a sidecar made for the target.</source>
            <translation>Wählen Sie ein Sidecar, das für das Zielmodell erstellt wurde.</translation>
        </message>
        <message>
            <source>Choose a sidecar made for this target, or go on without speculation.</source>
            <translation>Wählen Sie ein Sidecar für dieses Zielmodell, oder machen Sie ohne Spekulation weiter.</translation>
        </message>
        <message>
            <source>Choose a sidecar made for your target.</source>
            <translation>Wählen Sie ein Sidecar für Ihr Zielmodell.</translation>
        </message>
        <message>
            <source>Choose a sidecar that fits the target.</source>
            <translation>Wählen Sie ein Sidecar, das zum Zielmodell passt.</translation>
        </message>
        <message>
            <source>Choose a smaller context or a smaller file.</source>
            <translation>Wählen Sie einen kleineren Kontext oder eine kleinere Datei.</translation>
        </message>
        <message>
            <source>Choose a smaller context or fewer GPU layers, or go on without speculation.</source>
            <translation>Wählen Sie einen kleineren Kontext oder weniger GPU-Schichten, oder machen Sie ohne Spekulation weiter.</translation>
        </message>
        <message>
            <source>Choose a smaller model of the same family, or go on without speculation.</source>
            <translation>Wählen Sie ein kleineres Modell derselben Familie, oder machen Sie ohne Spekulation weiter.</translation>
        </message>
        <message>
            <source>Choose a smaller model of the same family.</source>
            <translation>Wählen Sie ein kleineres Modell derselben Familie.</translation>
        </message>
        <message>
            <source>Choose a smaller model or context.</source>
            <translation>Wählen Sie ein kleineres Modell oder einen kleineren Kontext.</translation>
        </message>
        <message>
            <source>Choose another draft model, or go on without speculation.</source>
            <translation>Wählen Sie ein anderes Entwurfsmodell, oder machen Sie ohne Spekulation weiter.</translation>
        </message>
        <message>
            <source>Choose another drafter for this target, or go on without speculation.</source>
            <translation>Wählen Sie einen anderen Entwerfer für dieses Zielmodell, oder machen Sie ohne Spekulation weiter.</translation>
        </message>
        <message>
            <source>Choose another folder.</source>
            <translation>Wählen Sie einen anderen Ordner.</translation>
        </message>
        <message>
            <source>Choose another, or “none”.</source>
            <translation>Wählen Sie ein anderes oder „none“.</translation>
        </message>
        <message>
            <source>Choose one of these.</source>
            <translation>Wählen Sie eines davon.</translation>
        </message>
        <message>
            <source>Choose one of {known}.</source>
            <translation>Wählen Sie eines von {known}.</translation>
        </message>
        <message>
            <source>Choose the file again.</source>
            <translation>Wählen Sie die Datei erneut.</translation>
        </message>
        <message>
            <source>Choose the heads made for this target, or go on without speculation.</source>
            <translation>Wählen Sie die Köpfe für dieses Zielmodell, oder machen Sie ohne Spekulation weiter.</translation>
        </message>
        <message>
            <source>Choose the sidecar or the draft model that goes with this target.</source>
            <translation>Wählen Sie das Sidecar oder Entwurfsmodell, das zu diesem Zielmodell gehört.</translation>
        </message>
        <message>
            <source>Choose the target first, then this file as its sidecar.</source>
            <translation>Wählen Sie zuerst das Zielmodell, dann diese Datei als dessen Sidecar.</translation>
        </message>
        <message>
            <source>Choose “{name}”.</source>
            <translation>Wählen Sie „{name}“.</translation>
        </message>
        <message>
            <source>Close other programs, choose a smaller file or fewer GPU layers.</source>
            <translation>Schließen Sie andere Programme, wählen Sie eine kleinere Datei oder weniger GPU-Schichten.</translation>
        </message>
        <message>
            <source>Close that program (a backup or a database viewer, perhaps).</source>
            <translation>Schließen Sie dieses Programm (vielleicht eine Sicherung oder ein Datenbank-Betrachter).</translation>
        </message>
        <message>
            <source>Combine n-gram algorithms with one of them.</source>
            <translation>Kombinieren Sie N-Gramm-Algorithmen mit einem davon.</translation>
        </message>
        <message>
            <source>Convert the model again with current tools, or download another file of it.</source>
            <translation>Konvertieren Sie das Modell mit aktuellen Werkzeugen neu, oder laden Sie eine andere Datei davon.</translation>
        </message>
        <message>
            <source>Convert the model again, or download a newer file.</source>
            <translation>Konvertieren Sie das Modell neu, oder laden Sie eine neuere Datei.</translation>
        </message>
        <message>
            <source>Correct its value.</source>
            <translation>Berichtigen Sie den Wert.</translation>
        </message>
        <message>
            <source>Correct the pattern.</source>
            <translation>Berichtigen Sie das Muster.</translation>
        </message>
        <message>
            <source>Divergences</source>
            <translation>Abweichungen</translation>
        </message>
        <message>
            <source>Done</source>
            <translation>Fertig</translation>
        </message>
        <message>
            <source>Download or convert a GGUF file of the model.</source>
            <translation>Laden oder konvertieren Sie eine GGUF-Datei des Modells.</translation>
        </message>
        <message>
            <source>Download or copy the file again.</source>
            <translation>Laden oder kopieren Sie die Datei erneut.</translation>
        </message>
        <message>
            <source>Download or make a newer file, for example Q4_0.</source>
            <translation>Laden oder erstellen Sie eine neuere Datei, zum Beispiel Q4_0.</translation>
        </message>
        <message>
            <source>Download the file again, or get another file of the model.</source>
            <translation>Laden Sie die Datei erneut, oder besorgen Sie eine andere Datei des Modells.</translation>
        </message>
        <message>
            <source>Download the file itself (with Git LFS).</source>
            <translation>Laden Sie die Datei selbst (mit Git LFS).</translation>
        </message>
        <message>
            <source>Download the file itself.</source>
            <translation>Laden Sie die Datei selbst.</translation>
        </message>
        <message>
            <source>Draft length {n} with p_min {p_min:g}, {ratio:.3f}x</source>
            <translation>Entwurfslänge {n} mit p_min {p_min:g}, {ratio:.3f}x</translation>
        </message>
        <message>
            <source>Draft length {n}, {ratio:.3f}x</source>
            <translation>Entwurfslänge {n}, {ratio:.3f}x</translation>
        </message>
        <message>
            <source>Draft lengths above {n} were left out; the drafter proposes no more.</source>
            <translation>Entwurfslängen über {n} wurden ausgelassen; länger wird nicht entworfen.</translation>
        </message>
        <message>
            <source>Draft lengths lie between 1 and {n}.</source>
            <translation>Entwurfslängen liegen zwischen 1 und {n}.</translation>
        </message>
        <message>
            <source>Drafting is suspended: this text does not pay.</source>
            <translation>Das Entwerfen ist ausgesetzt: Dieser Text lohnt sich nicht.</translation>
        </message>
        <message>
            <source>Drafts of {best} promise {rate} tok/s against {ordinary} without.</source>
            <translation>Entwürfe der Länge {best} versprechen {rate} Tok/s gegen {ordinary} ohne.</translation>
        </message>
        <message>
            <source>Drafts promise at most {rate} tok/s against {ordinary} without.</source>
            <translation>Entwürfe versprechen höchstens {rate} Tok/s gegen {ordinary} ohne.</translation>
        </message>
        <message>
            <source>Errors and warnings</source>
            <translation>Fehler und Warnungen</translation>
        </message>
        <message>
            <source>Files</source>
            <translation>Dateien</translation>
        </message>
        <message>
            <source>Free some space; what was typed and generated stays in the window until then.</source>
            <translation>Schaffen Sie Platz; was getippt und erzeugt wurde, bleibt bis dahin im Fenster.</translation>
        </message>
        <message>
            <source>GPU</source>
            <translation>GPU</translation>
        </message>
        <message>
            <source>Get it again, convert it again, or choose another sidecar.</source>
            <translation>Besorgen oder konvertieren Sie es neu, oder wählen Sie ein anderes Sidecar.</translation>
        </message>
        <message>
            <source>Get the ordinary (little-endian) file of the same model.</source>
            <translation>Besorgen Sie die übliche Datei (Little Endian) desselben Modells.</translation>
        </message>
        <message>
            <source>Give 0 or more.</source>
            <translation>Geben Sie 0 oder mehr an.</translation>
        </message>
        <message>
            <source>Give 1 or more, or None.</source>
            <translation>Geben Sie 1 oder mehr an, oder None.</translation>
        </message>
        <message>
            <source>Give auto, all or one.</source>
            <translation>Geben Sie auto, all oder eine Zahl an.</translation>
        </message>
        <message>
            <source>Give auto, or 0 for none.</source>
            <translation>Geben Sie auto an, oder 0 für keine.</translation>
        </message>
        <message>
            <source>Give it back a name that ends in {ending}.</source>
            <translation>Geben Sie ihr wieder einen Namen, der auf {ending} endet.</translation>
        </message>
        <message>
            <source>Give it one: system, user or assistant.</source>
            <translation>Geben Sie ihr eine: system, user oder assistant.</translation>
        </message>
        <message>
            <source>Hashing the files</source>
            <translation>Prüfsummen der Dateien werden berechnet</translation>
        </message>
        <message>
            <source>Install llama-cpp-python 0.3.36 or newer, or go on without speculation.</source>
            <translation>Installieren Sie llama-cpp-python 0.3.36 oder neuer, oder machen Sie ohne Spekulation weiter.</translation>
        </message>
        <message>
            <source>It cannot be {value!r}.</source>
            <translation>Es kann nicht {value!r} sein.</translation>
        </message>
        <message>
            <source>It carries no vocabulary.</source>
            <translation>Die Datei enthält kein Vokabular.</translation>
        </message>
        <message>
            <source>It changes another model; it does not chat by itself.</source>
            <translation>Sie verändert ein anderes Modell; allein chattet sie nicht.</translation>
        </message>
        <message>
            <source>It chooses among {top_k} candidates of {draft_vocab} tokens.</source>
            <translation>Es wählt unter {top_k} Kandidaten von {draft_vocab} Token.</translation>
        </message>
        <message>
            <source>It claims next-token heads, which a sidecar does not have.</source>
            <translation>Es gibt Köpfe für das nächste Token an, die ein Sidecar nicht hat.</translation>
        </message>
        <message>
            <source>It claims to be part {number} of {count}.</source>
            <translation>Sie gibt sich als Teil {number} von {count} aus.</translation>
        </message>
        <message>
            <source>It claims to use none of {experts} experts.</source>
            <translation>Sie will keinen von {experts} Experten verwenden.</translation>
        </message>
        <message>
            <source>It claims to use {used} of {experts} experts.</source>
            <translation>Sie will {used} von {experts} Experten verwenden.</translation>
        </message>
        <message>
            <source>It claims {groups} groups of {experts} experts.</source>
            <translation>Sie nennt {groups} Gruppen von {experts} Experten.</translation>
        </message>
        <message>
            <source>It claims {layers} layers, {heads} of them next-token heads.</source>
            <translation>Sie nennt {layers} Schichten, davon {heads} Köpfe für nächste Token.</translation>
        </message>
        <message>
            <source>It claims {n} layers; the engine runs one.</source>
            <translation>Es nennt {n} Schichten; die Engine führt eine aus.</translation>
        </message>
        <message>
            <source>It does not begin as a GGUF file does.</source>
            <translation>Sie beginnt nicht wie eine GGUF-Datei.</translation>
        </message>
        <message>
            <source>It does not name its mask token.</source>
            <translation>Das Masken-Token ist nicht angegeben.</translation>
        </message>
        <message>
            <source>It does not name its tokenizer.</source>
            <translation>Der Tokenizer ist nicht angegeben.</translation>
        </message>
        <message>
            <source>It does not say what kind of model it is.</source>
            <translation>Sie sagt nicht, was für ein Modell sie ist.</translation>
        </message>
        <message>
            <source>It does not say which layers of the target it reads.</source>
            <translation>Es ist nicht angegeben, welche Schichten des Zielmodells es liest.</translation>
        </message>
        <message>
            <source>It does not say which part of the model it is.</source>
            <translation>Es ist nicht angegeben, welcher Teil des Modells es ist.</translation>
        </message>
        <message>
            <source>It has a sliding window but does not say in which layers.</source>
            <translation>Es hat ein gleitendes Fenster, sagt aber nicht, in welchen Schichten.</translation>
        </message>
        <message>
            <source>It has a sliding window, which the engine does not know for it.</source>
            <translation>Es hat ein gleitendes Fenster, das die Engine dafür nicht kennt.</translation>
        </message>
        <message>
            <source>It has no bytes.</source>
            <translation>Sie hat keinen Inhalt.</translation>
        </message>
        <message>
            <source>It has no tensor “token_embd.weight”.</source>
            <translation>Der Tensor „token_embd.weight“ fehlt.</translation>
        </message>
        <message>
            <source>It has no tensor “{name}”.</source>
            <translation>Der Tensor „{name}“ fehlt.</translation>
        </message>
        <message>
            <source>It has none besides the CPU.</source>
            <translation>Es gibt keines außer der CPU.</translation>
        </message>
        <message>
            <source>It has positions of several dimensions, which the engine does not know for it.</source>
            <translation>Es hat Positionen in mehreren Dimensionen, die die Engine dafür nicht kennt.</translation>
        </message>
        <message>
            <source>It has the tensor “{name}” twice.</source>
            <translation>Der Tensor „{name}“ ist doppelt vorhanden.</translation>
        </message>
        <message>
            <source>It has {n_head} heads for queries and {n_kv} for keys.</source>
            <translation>Es hat {n_head} Köpfe für Abfragen und {n_kv} für Schlüssel.</translation>
        </message>
        <message>
            <source>It has {names}.</source>
            <translation>Es gibt {names}.</translation>
        </message>
        <message>
            <source>It has {size:,} bytes, its header speaks of {x}; the download or copy did not finish.</source>
            <translation>Sie hat {size:,} Byte, der Header nennt {x}; das Laden oder Kopieren wurde nicht fertig.</translation>
        </message>
        <message>
            <source>It hears speech, it does not chat.</source>
            <translation>Es hört Sprache, es chattet nicht.</translation>
        </message>
        <message>
            <source>It holds a vocabulary without a model.</source>
            <translation>Sie enthält ein Vokabular ohne Modell.</translation>
        </message>
        <message>
            <source>It holds something else than n-grams.</source>
            <translation>Sie enthält etwas anderes als N-Gramme.</translation>
        </message>
        <message>
            <source>It holds statistics for quantising a model.</source>
            <translation>Sie enthält Statistiken zum Quantisieren eines Modells.</translation>
        </message>
        <message>
            <source>It holds the model alone.</source>
            <translation>Sie enthält nur das Modell.</translation>
        </message>
        <message>
            <source>It holds {n_ctx} tokens.</source>
            <translation>Er fasst {n_ctx} Token.</translation>
        </message>
        <message>
            <source>It is GGUF version {version}; versions 2 and 3 are read.</source>
            <translation>Es ist GGUF-Version {version}; gelesen werden die Versionen 2 und 3.</translation>
        </message>
        <message>
            <source>It is JSON, but neither from Slipstream nor from ChatGPT.</source>
            <translation>Es ist JSON, aber weder von Slipstream noch von ChatGPT.</translation>
        </message>
        <message>
            <source>It is a Git pointer to the model, not the model.</source>
            <translation>Sie ist ein Git-Verweis auf das Modell, nicht das Modell.</translation>
        </message>
        <message>
            <source>It is a control vector, applied to another model.</source>
            <translation>Es ist ein Steuervektor für ein anderes Modell.</translation>
        </message>
        <message>
            <source>It is a diffusion language model, which does not write from left to right.</source>
            <translation>Es ist ein Diffusions-Sprachmodell, das nicht von links nach rechts schreibt.</translation>
        </message>
        <message>
            <source>It is a web page, saved under a model's name.</source>
            <translation>Sie ist eine Webseite, gespeichert unter dem Namen eines Modells.</translation>
        </message>
        <message>
            <source>It is an encoder-decoder model, which this program does not run.</source>
            <translation>Es ist ein Encoder-Decoder-Modell, das dieses Programm nicht ausführt.</translation>
        </message>
        <message>
            <source>It is cut short.</source>
            <translation>Sie ist unvollständig.</translation>
        </message>
        <message>
            <source>It is in a format from before GGUF.</source>
            <translation>Sie hat ein Format aus der Zeit vor GGUF.</translation>
        </message>
        <message>
            <source>It is not UTF-8 text.</source>
            <translation>Es ist kein UTF-8-Text.</translation>
        </message>
        <message>
            <source>It is not part {number} of {count}, as its name says.</source>
            <translation>Sie ist nicht Teil {number} von {count}, wie ihr Name sagt.</translation>
        </message>
        <message>
            <source>It is tried again from time to time.</source>
            <translation>Es wird von Zeit zu Zeit wieder versucht.</translation>
        </message>
        <message>
            <source>It knows no graph for them.</source>
            <translation>Sie kennt keinen Graphen dafür.</translation>
        </message>
        <message>
            <source>It lacks {missing}.</source>
            <translation>Es fehlt {missing}.</translation>
        </message>
        <message>
            <source>It lets a model see pictures; it does not chat by itself.</source>
            <translation>Sie lässt ein Modell Bilder sehen; allein chattet sie nicht.</translation>
        </message>
        <message>
            <source>It makes films, not text.</source>
            <translation>Es macht Filme, keinen Text.</translation>
        </message>
        <message>
            <source>It makes pictures, not text.</source>
            <translation>Es macht Bilder, keinen Text.</translation>
        </message>
        <message>
            <source>It makes sound, not text.</source>
            <translation>Es macht Töne, keinen Text.</translation>
        </message>
        <message>
            <source>It may have been moved or deleted, or its drive is not connected. Choose the file again.</source>
            <translation>Sie wurde vielleicht verschoben oder gelöscht, oder ihr Laufwerk ist nicht verbunden. Wählen Sie die Datei erneut.</translation>
        </message>
        <message>
            <source>It reads the target's own keys and values, which this program does not share with a draft.</source>
            <translation>Es liest die Schlüssel und Werte des Zielmodells, die dieses Programm nicht mit einem Entwurf teilt.</translation>
        </message>
        <message>
            <source>It reads {n} layers of the target; the engine expects {n_taps}.</source>
            <translation>Es liest {n} Schichten des Zielmodells; die Engine erwartet {n_taps}.</translation>
        </message>
        <message>
            <source>It says: {reason}.</source>
            <translation>Sie sagt: {reason}.</translation>
        </message>
        <message>
            <source>It speaks of a selector but has no selector tensors.</source>
            <translation>Ein Selektor ist angegeben, aber seine Tensoren fehlen.</translation>
        </message>
        <message>
            <source>It turns texts into vectors; it does not write text.</source>
            <translation>Es macht aus Texten Vektoren; es schreibt keinen Text.</translation>
        </message>
        <message>
            <source>It turns {rotated} of {key} dimensions of a head by position.</source>
            <translation>Es dreht {rotated} von {key} Dimensionen eines Kopfs nach der Position.</translation>
        </message>
        <message>
            <source>It was written big-endian.</source>
            <translation>Sie wurde als Big Endian geschrieben.</translation>
        </message>
        <message>
            <source>It would be loaded twice, and drafting would cost as much as decoding.</source>
            <translation>Es würde doppelt geladen, und Entwerfen wäre so teuer wie Dekodieren.</translation>
        </message>
        <message>
            <source>Its "type" is text, json_object or json_schema.</source>
            <translation>Der „type“ ist text, json_object oder json_schema.</translation>
        </message>
        <message>
            <source>Its JSON is damaged: {reason}.</source>
            <translation>Das JSON ist beschädigt: {reason}.</translation>
        </message>
        <message>
            <source>Its activation “{activation}” is not one of {ACTIVATIONS}.</source>
            <translation>Die Aktivierung „{activation}“ ist keine von {ACTIVATIONS}.</translation>
        </message>
        <message>
            <source>Its alignment of {alignment} is not a power of two.</source>
            <translation>Die Ausrichtung {alignment} ist keine Zweierpotenz.</translation>
        </message>
        <message>
            <source>Its block of {number} tokens cannot be drafted with.</source>
            <translation>Mit einem Block von {number} Token kann nicht entworfen werden.</translation>
        </message>
        <message>
            <source>Its file is damaged.</source>
            <translation>Die Datei ist beschädigt.</translation>
        </message>
        <message>
            <source>Its file was removed.</source>
            <translation>Die Datei wurde entfernt.</translation>
        </message>
        <message>
            <source>Its header claims to be larger than any model's.</source>
            <translation>Der Header gibt sich größer aus als der jedes Modells.</translation>
        </message>
        <message>
            <source>Its header has no usable “dflash.attention.layer_norm_rms_epsilon”.</source>
            <translation>Der Header hat kein brauchbares „dflash.attention.layer_norm_rms_epsilon“.</translation>
        </message>
        <message>
            <source>Its header has no usable “dflash.{name}”.</source>
            <translation>Der Header hat kein brauchbares „dflash.{name}“.</translation>
        </message>
        <message>
            <source>Its header has no usable “{architecture}.{key}”.</source>
            <translation>Der Header hat kein brauchbares „{architecture}.{key}“.</translation>
        </message>
        <message>
            <source>Its header has no usable “{key}”.</source>
            <translation>In seinem Header fehlt ein brauchbares „{key}“.</translation>
        </message>
        <message>
            <source>Its header names “{key}” twice.</source>
            <translation>Der Header nennt „{key}“ doppelt.</translation>
        </message>
        <message>
            <source>Its heads are {inside} wide inside the window and {width} outside.</source>
            <translation>Die Köpfe sind im Fenster {inside} breit und außerhalb {width}.</translation>
        </message>
        <message>
            <source>Its keys are {key} wide and its values {value}; they must be alike.</source>
            <translation>Die Schlüssel sind {key} breit und die Werte {value}; sie müssen gleich sein.</translation>
        </message>
        <message>
            <source>Its layer {i} has {n_head} heads for queries and {n_kv} for keys.</source>
            <translation>Schicht {i} hat {n_head} Köpfe für Abfragen und {n_kv} für Schlüssel.</translation>
        </message>
        <message>
            <source>Its layout differs, so nothing it proposes would be accepted.</source>
            <translation>Der Aufbau ist anders, deshalb würde nichts angenommen, was es vorschlägt.</translation>
        </message>
        <message>
            <source>Its list of the target's layers to read is empty.</source>
            <translation>Die Liste der zu lesenden Schichten des Zielmodells ist leer.</translation>
        </message>
        <message>
            <source>Its list “{key}” is of no known type ({kind}).</source>
            <translation>Die Liste „{key}“ ist von keinem bekannten Typ ({kind}).</translation>
        </message>
        <message>
            <source>Its mask token {mask} is outside its vocabulary of {n_vocab:,} tokens.</source>
            <translation>Das Masken-Token {mask} liegt außerhalb des Vokabulars von {n_vocab:,} Token.</translation>
        </message>
        <message>
            <source>Its next-token head is of a form that the engine does not know.</source>
            <translation>Der Kopf für das nächste Token hat eine Form, die die Engine nicht kennt.</translation>
        </message>
        <message>
            <source>Its next-token head {layer} has no tensor “{name}”.</source>
            <translation>Dem Kopf {layer} für das nächste Token fehlt der Tensor „{name}“.</translation>
        </message>
        <message>
            <source>Its output is of another width than its layer.</source>
            <translation>Seine Ausgabe ist anders breit als seine Schicht.</translation>
        </message>
        <message>
            <source>Its output is of another width than its layers.</source>
            <translation>Die Ausgabe ist anders breit als die Schichten.</translation>
        </message>
        <message>
            <source>Its output is {out} wide.</source>
            <translation>Ihre Ausgabe ist {out} breit.</translation>
        </message>
        <message>
            <source>Its position scaling “{scaling}” is not known.</source>
            <translation>Ihre Positionsskalierung „{scaling}“ ist unbekannt.</translation>
        </message>
        <message>
            <source>Its position sections {list} are impossible.</source>
            <translation>Die Positionsabschnitte {list} sind unmöglich.</translation>
        </message>
        <message>
            <source>Its sisters are found by their names.</source>
            <translation>Die übrigen Teile werden über ihre Namen gefunden.</translation>
        </message>
        <message>
            <source>Its tensor “{name}” has the impossible shape {list}.</source>
            <translation>Der Tensor „{name}“ hat die unmögliche Form {list}.</translation>
        </message>
        <message>
            <source>Its tensor “{name}” has {n_dims} dimensions.</source>
            <translation>Der Tensor „{name}“ hat {n_dims} Dimensionen.</translation>
        </message>
        <message>
            <source>Its tensor “{name}” is larger than any model needs.</source>
            <translation>Der Tensor „{name}“ ist größer, als irgendein Modell braucht.</translation>
        </message>
        <message>
            <source>Its tensor “{name}” is not where it should be.</source>
            <translation>Der Tensor „{name}“ liegt nicht, wo er sollte.</translation>
        </message>
        <message>
            <source>Its tensor “{name}” is stored in a way (type {kind}) that this program does not know.</source>
            <translation>Der Tensor „{name}“ ist auf eine Weise (Typ {kind}) gespeichert, die dieses Programm nicht kennt.</translation>
        </message>
        <message>
            <source>Its tensor “{name}” is {RETIRED_TENSOR_TYPES}.</source>
            <translation>Der Tensor „{name}“ ist {RETIRED_TENSOR_TYPES}.</translation>
        </message>
        <message>
            <source>Its tensor “{name}” is {shapes}.</source>
            <translation>Der Tensor „{name}“ ist {shapes}.</translation>
        </message>
        <message>
            <source>Its tensor “{name}” is {type_name} and must be {wanted}.</source>
            <translation>Der Tensor „{name}“ ist {type_name} und muss {wanted} sein.</translation>
        </message>
        <message>
            <source>Its tensor “{name}” is {type} and must be F32.</source>
            <translation>Ihr Tensor „{name}“ ist {type} und muss F32 sein.</translation>
        </message>
        <message>
            <source>Its tensor “{name}” is {type}, which cannot be multiplied.</source>
            <translation>Ihr Tensor „{name}“ ist {type}, womit nicht multipliziert werden kann.</translation>
        </message>
        <message>
            <source>Its token map “d2t” is {by}.</source>
            <translation>Die Token-Tabelle „d2t“ ist {by}.</translation>
        </message>
        <message>
            <source>Its token map “d2t” is {type_name} and must be I64.</source>
            <translation>Die Token-Tabelle „d2t“ ist {type_name} und muss I64 sein.</translation>
        </message>
        <message>
            <source>Its token map “d2t” sends row {row} to token {wrong}, which does not exist.</source>
            <translation>Die Token-Tabelle „d2t“ weist Zeile {row} dem Token {wrong} zu, das es nicht gibt.</translation>
        </message>
        <message>
            <source>Its token map “d2t” sends several rows to one token; perhaps it holds differences, not tokens.</source>
            <translation>Die Token-Tabelle „d2t“ weist mehrere Zeilen einem Token zu; vielleicht enthält sie Differenzen statt Token.</translation>
        </message>
        <message>
            <source>Its value “{key}” is of no known type ({kind}).</source>
            <translation>Der Wert „{key}“ ist von keinem bekannten Typ ({kind}).</translation>
        </message>
        <message>
            <source>Its vocabulary has the token {quoted} more than once.</source>
            <translation>Das Vokabular enthält das Token {quoted} mehrfach.</translation>
        </message>
        <message>
            <source>Its vocabulary has {n_vocab} tokens.</source>
            <translation>Das Vokabular hat {n_vocab} Token.</translation>
        </message>
        <message>
            <source>Its width {width} is not a multiple of its convolution group {group}.</source>
            <translation>Die Breite {width} ist kein Vielfaches der Faltungsgruppe {group}.</translation>
        </message>
        <message>
            <source>Its width {width} is too small for {top_k} candidates: {top_k2} are needed.</source>
            <translation>Die Breite {width} ist zu klein für {top_k} Kandidaten: {top_k2} sind nötig.</translation>
        </message>
        <message>
            <source>Its {experts} experts cannot be divided into {groups} groups.</source>
            <translation>Ihre {experts} Experten lassen sich nicht in {groups} Gruppen teilen.</translation>
        </message>
        <message>
            <source>Its {widths}; they must be alike.</source>
            <translation>{widths}; sie müssen gleich sein.</translation>
        </message>
        <message>
            <source>Its “{key}” is {value}.</source>
            <translation>Ihr „{key}“ ist {value}.</translation>
        </message>
        <message>
            <source>Leave it out.</source>
            <translation>Lassen Sie es weg.</translation>
        </message>
        <message>
            <source>Leave out the numbers to sweep all of its lengths.</source>
            <translation>Lassen Sie die Zahlen weg, um alle Längen zu vergleichen.</translation>
        </message>
        <message>
            <source>Leave the oldest turns out.</source>
            <translation>Lassen Sie die ältesten Beiträge weg.</translation>
        </message>
        <message>
            <source>Leave {name} as it is.</source>
            <translation>Lassen Sie {name}, wie es ist.</translation>
        </message>
        <message>
            <source>Line {n} of {name} is no JSON object with a "prompt".</source>
            <translation>Zeile {n} von {name} ist kein JSON-Objekt mit „prompt“.</translation>
        </message>
        <message>
            <source>Load the target without its sidecar: slower or faster, but it needs less memory.</source>
            <translation>Laden Sie das Zielmodell ohne sein Sidecar: langsamer oder schneller, aber mit weniger Speicher.</translation>
        </message>
        <message>
            <source>Loading the sidecar</source>
            <translation>Sidecar wird geladen</translation>
        </message>
        <message>
            <source>Loading the target</source>
            <translation>Zielmodell wird geladen</translation>
        </message>
        <message>
            <source>Loading was stopped.</source>
            <translation>Das Laden wurde abgebrochen.</translation>
        </message>
        <message>
            <source>Make the file readable and start Slipstream again.</source>
            <translation>Machen Sie die Datei lesbar und starten Sie Slipstream neu.</translation>
        </message>
        <message>
            <source>Measuring what a draft costs</source>
            <translation>Es wird gemessen, was ein Entwurf kostet</translation>
        </message>
        <message>
            <source>Messages of the same side in a row were joined, because the model's chat template asks for it.</source>
            <translation>Aufeinanderfolgende Nachrichten derselben Seite wurden verbunden, weil die Chat-Vorlage des Modells es verlangt.</translation>
        </message>
        <message>
            <source>Neither model nor context has such an option.</source>
            <translation>Weder Modell noch Kontext haben eine solche Option.</translation>
        </message>
        <message>
            <source>Neither removing tokens nor a checkpoint restores its state.</source>
            <translation>Weder das Entfernen von Token noch ein Sicherungspunkt stellt seinen Zustand wieder her.</translation>
        </message>
        <message>
            <source>Neither removing tokens nor a saved state restores it.</source>
            <translation>Weder das Entfernen von Token noch ein gesicherter Zustand stellt ihn wieder her.</translation>
        </message>
        <message>
            <source>No model is loaded.</source>
            <translation>Es ist kein Modell geladen.</translation>
        </message>
        <message>
            <source>None of the draft lengths to sweep is possible.</source>
            <translation>Keine der Entwurfslängen für den Vergleich ist möglich.</translation>
        </message>
        <message>
            <source>Not in the folder: {names}.</source>
            <translation>Nicht im Ordner: {names}.</translation>
        </message>
        <message>
            <source>Nothing can be saved.</source>
            <translation>Es kann nichts gespeichert werden.</translation>
        </message>
        <message>
            <source>Nothing is lost. Copy the report and try again.</source>
            <translation>Nichts ist verloren. Kopieren Sie den Bericht und versuchen Sie es erneut.</translation>
        </message>
        <message>
            <source>One draft file is loaded at a time.</source>
            <translation>Es wird immer nur eine Entwurfsdatei geladen.</translation>
        </message>
        <message>
            <source>Only the last reply of a branch can go on, when it was stopped or cut.</source>
            <translation>Nur die letzte Antwort eines Zweigs kann fortgesetzt werden, wenn sie angehalten oder abgeschnitten wurde.</translation>
        </message>
        <message>
            <source>Ordinary decoding works; go on without speculation.</source>
            <translation>Normales Dekodieren geht; machen Sie ohne Spekulation weiter.</translation>
        </message>
        <message>
            <source>Ordinary decoding works; switch speculation off for this target.</source>
            <translation>Normales Dekodieren geht; schalten Sie die Spekulation für dieses Zielmodell aus.</translation>
        </message>
        <message>
            <source>Ordinary decoding: no draft length was faster</source>
            <translation>Normales Dekodieren: keine Entwurfslänge war schneller</translation>
        </message>
        <message>
            <source>Prompt {numbers}: the reply is too short to be timed; it does not count in the speedup.</source>
            <translation>Prompt {numbers}: Die Antwort ist zu kurz für eine Zeitmessung; sie zählt bei der Beschleunigung nicht mit.</translation>
        </message>
        <message>
            <source>Prompt {n} has {tokens} tokens, but the context holds {n_ctx}.</source>
            <translation>Prompt {n} hat {tokens} Token, in den Kontext passen {n_ctx}.</translation>
        </message>
        <message>
            <source>Prompts</source>
            <translation>Prompts</translation>
        </message>
        <message>
            <source>Put the missing files beside the first one.</source>
            <translation>Legen Sie die fehlenden Dateien neben die erste.</translation>
        </message>
        <message>
            <source>Python</source>
            <translation>Python</translation>
        </message>
        <message>
            <source>Q&amp;A</source>
            <translation>Fragen</translation>
        </message>
        <message>
            <source>Raise n_ctx or shorten the prompt.</source>
            <translation>Erhöhen Sie n_ctx oder kürzen Sie den Prompt.</translation>
        </message>
        <message>
            <source>Raise them, or choose a shorter draft.</source>
            <translation>Erhöhen Sie sie, oder wählen Sie einen kürzeren Entwurf.</translation>
        </message>
        <message>
            <source>Reading headers</source>
            <translation>Header werden gelesen</translation>
        </message>
        <message>
            <source>Reading the prompt</source>
            <translation>Der Prompt wird gelesen</translation>
        </message>
        <message>
            <source>Ready</source>
            <translation>Bereit</translation>
        </message>
        <message>
            <source>Replies end at the end of the context ({n} tokens) before max_tokens is reached.</source>
            <translation>Antworten enden am Ende des Kontexts ({n} Token), bevor max_tokens erreicht ist.</translation>
        </message>
        <message>
            <source>Runs and tokens must be at least 1.</source>
            <translation>Läufe und Token müssen mindestens 1 sein.</translation>
        </message>
        <message>
            <source>SHA-256</source>
            <translation>SHA-256</translation>
        </message>
        <message>
            <source>SQLite cannot search texts on this machine, so conversations cannot be kept.</source>
            <translation>SQLite kann auf diesem Rechner keine Texte durchsuchen, daher lassen sich Unterhaltungen nicht aufbewahren.</translation>
        </message>
        <message>
            <source>Set draft_p_min to 0.</source>
            <translation>Setzen Sie draft_p_min auf 0.</translation>
        </message>
        <message>
            <source>Slipstream ended unexpectedly the last time.</source>
            <translation>Slipstream wurde beim letzten Mal unerwartet beendet.</translation>
        </message>
        <message>
            <source>Slipstream goes on with a new file.</source>
            <translation>Slipstream macht mit einer neuen Datei weiter.</translation>
        </message>
        <message>
            <source>Slipstream goes on with a new file; conversations that were only in the old one are lost.</source>
            <translation>Slipstream macht mit einer neuen Datei weiter; Unterhaltungen, die nur in der alten standen, sind verloren.</translation>
        </message>
        <message>
            <source>Slipstream is already running and saves for itself. This window only shows what is saved.</source>
            <translation>Slipstream läuft bereits und speichert selbst. Dieses Fenster zeigt nur, was gespeichert ist.</translation>
        </message>
        <message>
            <source>Slipstream is closing.</source>
            <translation>Slipstream wird beendet.</translation>
        </message>
        <message>
            <source>Slipstream may not write to its folder.</source>
            <translation>Slipstream darf nicht in seinen Ordner schreiben.</translation>
        </message>
        <message>
            <source>Slipstream may not write to {folder}. Allow writing there, or set SLIPSTREAM_HOME to another folder.</source>
            <translation>Slipstream darf nicht in {folder} schreiben. Erlauben Sie dort das Schreiben, oder setzen Sie SLIPSTREAM_HOME auf einen anderen Ordner.</translation>
        </message>
        <message>
            <source>Something went wrong inside Slipstream.</source>
            <translation>In Slipstream ist etwas schiefgegangen.</translation>
        </message>
        <message>
            <source>Start Slipstream again.</source>
            <translation>Starten Sie Slipstream neu.</translation>
        </message>
        <message>
            <source>Start a new chat or choose a larger context.</source>
            <translation>Beginnen Sie einen neuen Chat, oder wählen Sie einen größeren Kontext.</translation>
        </message>
        <message>
            <source>Start a new chat, or choose another model file.</source>
            <translation>Beginnen Sie einen neuen Chat, oder wählen Sie eine andere Modelldatei.</translation>
        </message>
        <message>
            <source>Start a new chat, shorten the message, or choose a larger context.</source>
            <translation>Beginnen Sie einen neuen Chat, kürzen Sie die Nachricht, oder wählen Sie einen größeren Kontext.</translation>
        </message>
        <message>
            <source>Summary</source>
            <translation>Zusammenfassung</translation>
        </message>
        <message>
            <source>Switch it on, or choose f16.</source>
            <translation>Schalten Sie sie ein, oder wählen Sie f16.</translation>
        </message>
        <message>
            <source>System</source>
            <translation>System</translation>
        </message>
        <message>
            <source>Targets of the kind “{architecture}” cannot be read by a sidecar.</source>
            <translation>Zielmodelle der Art „{architecture}“ können von einem Sidecar nicht gelesen werden.</translation>
        </message>
        <message>
            <source>The JSON schema cannot be used.</source>
            <translation>Das JSON-Schema ist nicht verwendbar.</translation>
        </message>
        <message>
            <source>The benchmark was stopped.</source>
            <translation>Der Benchmark wurde abgebrochen.</translation>
        </message>
        <message>
            <source>The context is full.</source>
            <translation>Der Kontext ist voll.</translation>
        </message>
        <message>
            <source>The context of the {what} could not be created.</source>
            <translation>Der Kontext ({what}) konnte nicht angelegt werden.</translation>
        </message>
        <message>
            <source>The context of {n_ctx} is longer than the {trained} tokens the model was trained for; replies may get worse beyond that.</source>
            <translation>Der Kontext von {n_ctx} ist länger als die {trained} Token, für die das Modell trainiert wurde; jenseits davon können Antworten schlechter werden.</translation>
        </message>
        <message>
            <source>The conversation no longer fits into the context.</source>
            <translation>Die Unterhaltung passt nicht mehr in den Kontext.</translation>
        </message>
        <message>
            <source>The conversations file is damaged.</source>
            <translation>Die Datei mit den Unterhaltungen ist beschädigt.</translation>
        </message>
        <message>
            <source>The conversations file was damaged.</source>
            <translation>Die Datei mit den Unterhaltungen war beschädigt.</translation>
        </message>
        <message>
            <source>The conversations file was removed while Slipstream was running.</source>
            <translation>Die Datei mit den Unterhaltungen wurde entfernt, während Slipstream lief.</translation>
        </message>
        <message>
            <source>The conversations were written by a newer version of Slipstream. Update Slipstream to go on saving them.</source>
            <translation>Die Unterhaltungen wurden von einer neueren Version von Slipstream geschrieben. Aktualisieren Sie Slipstream, um sie weiter zu speichern.</translation>
        </message>
        <message>
            <source>The damaged file is {where}.</source>
            <translation>Die beschädigte Datei ist {where}.</translation>
        </message>
        <message>
            <source>The device cannot do this step of the sampling: {steps}.</source>
            <translation>Das Gerät kann diesen Schritt des Samplings nicht: {steps}.</translation>
        </message>
        <message>
            <source>The disk did not do what it was asked.</source>
            <translation>Der Datenträger hat nicht getan, was verlangt war.</translation>
        </message>
        <message>
            <source>The disk does not answer.</source>
            <translation>Der Datenträger antwortet nicht.</translation>
        </message>
        <message>
            <source>The disk is full.</source>
            <translation>Der Datenträger ist voll.</translation>
        </message>
        <message>
            <source>The draft length is chosen as the text goes.</source>
            <translation>Die Entwurfslänge richtet sich nach dem Text.</translation>
        </message>
        <message>
            <source>The draft length {n} was clamped to {longest}.</source>
            <translation>Die Entwurfslänge {n} wurde auf {longest} begrenzt.</translation>
        </message>
        <message>
            <source>The draft model's memory cannot take back rejected drafts.</source>
            <translation>Der Speicher des Entwurfsmodells kann verworfene Entwürfe nicht zurücknehmen.</translation>
        </message>
        <message>
            <source>The draft model's vocabulary does not fit the target's.</source>
            <translation>Das Vokabular des Entwurfsmodells passt nicht zum Zielmodell.</translation>
        </message>
        <message>
            <source>The drafter proposes at most {n} tokens.</source>
            <translation>Es werden höchstens {n} Token entworfen.</translation>
        </message>
        <message>
            <source>The edited chat template cannot be used ({reason}).</source>
            <translation>Die bearbeitete Chat-Vorlage ist nicht verwendbar ({reason}).</translation>
        </message>
        <message>
            <source>The engine cannot run the next-token heads of “{architecture}” models.</source>
            <translation>Die Engine kann die Köpfe für das nächste Token von „{architecture}“-Modellen nicht ausführen.</translation>
        </message>
        <message>
            <source>The engine could not compute the next step.</source>
            <translation>Die Engine konnte den nächsten Schritt nicht berechnen.</translation>
        </message>
        <message>
            <source>The engine does not give out the inner states of their layers.</source>
            <translation>Die Engine gibt die inneren Zustände ihrer Schichten nicht heraus.</translation>
        </message>
        <message>
            <source>The engine runs one head of “{architecture}” models, not several in a chain.</source>
            <translation>Die Engine führt bei „{architecture}“-Modellen einen Kopf aus, nicht mehrere in Folge.</translation>
        </message>
        <message>
            <source>The grammar cannot be used.</source>
            <translation>Die Grammatik ist nicht verwendbar.</translation>
        </message>
        <message>
            <source>The grammar leaves no token to go on with.</source>
            <translation>Die Grammatik lässt kein Token übrig, mit dem es weitergehen kann.</translation>
        </message>
        <message>
            <source>The grammar or the schema was chosen after it was begun.</source>
            <translation>Die Grammatik oder das Schema wurde erst danach gewählt.</translation>
        </message>
        <message>
            <source>The heads are a part of the target.</source>
            <translation>Die Köpfe sind ein Teil des Zielmodells.</translation>
        </message>
        <message>
            <source>The library could not make the sampler {name}.</source>
            <translation>Die Bibliothek konnte den Sampler {name} nicht anlegen.</translation>
        </message>
        <message>
            <source>The library gave no reason.</source>
            <translation>Die Bibliothek nannte keinen Grund.</translation>
        </message>
        <message>
            <source>The library refused it.</source>
            <translation>Die Bibliothek hat es abgelehnt.</translation>
        </message>
        <message>
            <source>The library returned {code}; often memory has run out.</source>
            <translation>Die Bibliothek meldete {code}; oft ist der Speicher erschöpft.</translation>
        </message>
        <message>
            <source>The library says: {error}</source>
            <translation>Die Bibliothek sagt: {error}</translation>
        </message>
        <message>
            <source>The logit bias names token {wrong}, which this model does not have.</source>
            <translation>Der Logit-Bias nennt Token {wrong}, das dieses Modell nicht hat.</translation>
        </message>
        <message>
            <source>The lookup cache {path} cannot be used.</source>
            <translation>Der Lookup-Cache {path} ist nicht verwendbar.</translation>
        </message>
        <message>
            <source>The machine has {have:.1f} GiB; the context of {n_ctx} tokens alone takes {kv:.1f} GiB.</source>
            <translation>Der Rechner hat {have:.1f} GiB; allein der Kontext von {n_ctx} Token braucht {kv:.1f} GiB.</translation>
        </message>
        <message>
            <source>The model file's chat template cannot be used ({reason})</source>
            <translation>Die Chat-Vorlage der Modelldatei ist nicht verwendbar ({reason})</translation>
        </message>
        <message>
            <source>The model gave no summary.</source>
            <translation>Das Modell hat keine Zusammenfassung geliefert.</translation>
        </message>
        <message>
            <source>The model is answering. Stop it, or wait until it is done.</source>
            <translation>Das Modell antwortet. Halten Sie es an, oder warten Sie, bis es fertig ist.</translation>
        </message>
        <message>
            <source>The model is busy.</source>
            <translation>Das Modell ist beschäftigt.</translation>
        </message>
        <message>
            <source>The model is in {count} files that belong in one folder.</source>
            <translation>Das Modell besteht aus {count} Dateien, die in einen Ordner gehören.</translation>
        </message>
        <message>
            <source>The model is still answering. Stop it, or wait until it is done.</source>
            <translation>Das Modell antwortet noch. Halten Sie es an oder warten Sie, bis es fertig ist.</translation>
        </message>
        <message>
            <source>The model's chat template has no place for a system prompt; it was put in front of the next message.</source>
            <translation>Die Chat-Vorlage des Modells hat keinen Platz für einen System-Prompt; er wurde vor die nächste Nachricht gesetzt.</translation>
        </message>
        <message>
            <source>The model's chat template refuses this conversation.</source>
            <translation>Die Chat-Vorlage des Modells lehnt diese Unterhaltung ab.</translation>
        </message>
        <message>
            <source>The model's own is used instead.</source>
            <translation>Stattdessen gilt die des Modells.</translation>
        </message>
        <message>
            <source>The model's vocabulary has none that it allows here, or a logit bias bans them.</source>
            <translation>Das Vokabular des Modells hat keines, das sie hier erlaubt, oder ein Logit-Bias verbietet sie.</translation>
        </message>
        <message>
            <source>The next-token heads are of another kind of model.</source>
            <translation>Die Köpfe für das nächste Token gehören zu einer anderen Modellart.</translation>
        </message>
        <message>
            <source>The pair is still loading.</source>
            <translation>Das Paar wird noch geladen.</translation>
        </message>
        <message>
            <source>The program sets it itself.</source>
            <translation>Das Programm setzt sie selbst.</translation>
        </message>
        <message>
            <source>The prompt file {name} cannot be read.</source>
            <translation>Die Prompt-Datei {name} kann nicht gelesen werden.</translation>
        </message>
        <message>
            <source>The prompt file {name} holds no prompt.</source>
            <translation>Die Prompt-Datei {name} enthält keinen Prompt.</translation>
        </message>
        <message>
            <source>The prompt has {count} tokens and the context holds {n_ctx}.</source>
            <translation>Der Prompt hat {count} Token, und der Kontext fasst {n_ctx}.</translation>
        </message>
        <message>
            <source>The prompt is empty.</source>
            <translation>Der Prompt ist leer.</translation>
        </message>
        <message>
            <source>The response format {response_format!r} is unknown.</source>
            <translation>Das Antwortformat {response_format!r} ist unbekannt.</translation>
        </message>
        <message>
            <source>The settings are not saved.</source>
            <translation>Die Einstellungen werden nicht gespeichert.</translation>
        </message>
        <message>
            <source>The settings could not be read; defaults are used and not saved.</source>
            <translation>Die Einstellungen konnten nicht gelesen werden; Standardwerte gelten und werden nicht gespeichert.</translation>
        </message>
        <message>
            <source>The settings file was damaged; defaults are used.</source>
            <translation>Die Einstellungsdatei war beschädigt; es gelten Standardwerte.</translation>
        </message>
        <message>
            <source>The sidecar carries no vocabulary.</source>
            <translation>Das Sidecar enthält kein Vokabular.</translation>
        </message>
        <message>
            <source>The sidecar is {algorithm}, but {to_str} was asked for.</source>
            <translation>Das Sidecar ist {algorithm}, verlangt wurde aber {to_str}.</translation>
        </message>
        <message>
            <source>The sidecar is {kind}, but {shown} was asked for.</source>
            <translation>Das Sidecar ist {kind}, verlangt wurde aber {shown}.</translation>
        </message>
        <message>
            <source>The sidecar reads layer {tap}, which the target does not have.</source>
            <translation>Das Sidecar liest Schicht {tap}, die das Zielmodell nicht hat.</translation>
        </message>
        <message>
            <source>The sidecar “{name}” is not usable.</source>
            <translation>Das Sidecar „{name}“ ist nicht verwendbar.</translation>
        </message>
        <message>
            <source>The system says: {reason}.</source>
            <translation>Das System meldet: {reason}.</translation>
        </message>
        <message>
            <source>The target cannot be its own draft model.</source>
            <translation>Das Zielmodell kann nicht sein eigenes Entwurfsmodell sein.</translation>
        </message>
        <message>
            <source>The target has {n_layer} layers; it was made for another one.</source>
            <translation>Das Zielmodell hat {n_layer} Schichten; es wurde für ein anderes erstellt.</translation>
        </message>
        <message>
            <source>The target has {target:,} tokens, the sidecar {sidecar:,}.</source>
            <translation>Das Zielmodell hat {target:,} Token, das Sidecar {sidecar:,}.</translation>
        </message>
        <message>
            <source>The target has {target} tokens and the draft {draft}; a difference of up to {most} is allowed.</source>
            <translation>Das Zielmodell hat {target} Token und das Entwurfsmodell {draft}; erlaubt ist ein Unterschied bis {most}.</translation>
        </message>
        <message>
            <source>The target is of the kind “{architecture}”, the heads “{architecture2}”.</source>
            <translation>Das Zielmodell ist von der Art „{architecture}“, die Köpfe „{architecture2}“.</translation>
        </message>
        <message>
            <source>The target was chosen as its own sidecar.</source>
            <translation>Das Zielmodell wurde als sein eigenes Sidecar gewählt.</translation>
        </message>
        <message>
            <source>The target's embeddings are {n_embd} wide, the sidecar {seen}.</source>
            <translation>Die Embeddings des Zielmodells sind {n_embd} breit, das Sidecar {seen}.</translation>
        </message>
        <message>
            <source>The target's embeddings are {n_embd} wide, the sidecar's {n_embd2}.</source>
            <translation>Die Embeddings des Zielmodells sind {n_embd} breit, die des Sidecars {n_embd2}.</translation>
        </message>
        <message>
            <source>The target's is of the kind {target}, the draft's {draft}.</source>
            <translation>Das des Zielmodells ist von der Art {target}, das des Entwurfsmodells {draft}.</translation>
        </message>
        <message>
            <source>The target's is {shown}, the sidecar's is {shown2}.</source>
            <translation>Das des Zielmodells ist {shown}, das des Sidecars {shown2}.</translation>
        </message>
        <message>
            <source>The target's states are {n_embd} wide, the heads read {n_embd2}.</source>
            <translation>Die Zustände des Zielmodells sind {n_embd} breit, die Köpfe lesen {n_embd2}.</translation>
        </message>
        <message>
            <source>The template is in the model's file.</source>
            <translation>Die Vorlage steht in der Modelldatei.</translation>
        </message>
        <message>
            <source>The vocabularies are of different types.</source>
            <translation>Die Vokabulare sind von verschiedenem Typ.</translation>
        </message>
        <message>
            <source>The vocabularies differ.</source>
            <translation>Die Vokabulare unterscheiden sich.</translation>
        </message>
        <message>
            <source>The widths differ.</source>
            <translation>Die Breiten unterscheiden sich.</translation>
        </message>
        <message>
            <source>The {what} {name} could not be loaded.</source>
            <translation>{what} {name} konnte nicht geladen werden.</translation>
        </message>
        <message>
            <source>Their blocks are laid out differently, so nothing it proposes would be accepted.</source>
            <translation>Ihre Blöcke sind verschieden aufgebaut, deshalb würde nichts angenommen, was es vorschlägt.</translation>
        </message>
        <message>
            <source>There is no conversations.json in it.</source>
            <translation>Es enthält keine conversations.json.</translation>
        </message>
        <message>
            <source>There is no file at {path}.</source>
            <translation>Unter {path} gibt es keine Datei.</translation>
        </message>
        <message>
            <source>There is no message before this reply that could be answered again.</source>
            <translation>Vor dieser Antwort steht keine Nachricht, die neu beantwortet werden könnte.</translation>
        </message>
        <message>
            <source>There is not enough memory to load the {what} {name}.</source>
            <translation>Der Speicher reicht nicht, um {name} zu laden ({what}).</translation>
        </message>
        <message>
            <source>There is not enough memory.</source>
            <translation>Der Speicher reicht nicht.</translation>
        </message>
        <message>
            <source>There is nothing to compare: speculation is not available.</source>
            <translation>Es gibt nichts zu vergleichen: Spekulation ist nicht verfügbar.</translation>
        </message>
        <message>
            <source>There is nothing to compare: this pair does not speculate.</source>
            <translation>Es gibt nichts zu vergleichen: Dieses Paar spekuliert nicht.</translation>
        </message>
        <message>
            <source>They are {n_batch} and {n_ubatch}.</source>
            <translation>Sie sind {n_batch} und {n_ubatch}.</translation>
        </message>
        <message>
            <source>They could not be read: {unreadable}</source>
            <translation>Sie konnten nicht gelesen werden: {unreadable}</translation>
        </message>
        <message>
            <source>This DSpark sidecar has no confidence head, so draft_p_min cannot be used.</source>
            <translation>Dieses DSpark-Sidecar hat keinen Konfidenzkopf, deshalb ist draft_p_min nicht verwendbar.</translation>
        </message>
        <message>
            <source>This benchmark cannot be read.</source>
            <translation>Dieser Benchmark kann nicht gelesen werden.</translation>
        </message>
        <message>
            <source>This benchmark is gone.</source>
            <translation>Diesen Benchmark gibt es nicht mehr.</translation>
        </message>
        <message>
            <source>This benchmark was written in format version {n}.</source>
            <translation>Dieser Benchmark wurde in Formatversion {n} geschrieben.</translation>
        </message>
        <message>
            <source>This build of llama-cpp-python cannot run {what}.</source>
            <translation>Dieser Build von llama-cpp-python kann {what} nicht ausführen.</translation>
        </message>
        <message>
            <source>This build of the engine has no GPU.</source>
            <translation>Dieser Build der Engine kann keine GPU nutzen.</translation>
        </message>
        <message>
            <source>This build of the engine lacks {name}.</source>
            <translation>Diesem Build der Engine fehlt {name}.</translation>
        </message>
        <message>
            <source>This is a sidecar; choose the target it was trained for.</source>
            <translation>Das ist ein Sidecar; wählen Sie das Zielmodell, für das es trainiert wurde.</translation>
        </message>
        <message>
            <source>This machine has no buffer “{buffer}”; it has {x}.</source>
            <translation>Dieser Rechner hat keinen Puffer „{buffer}“; er hat {x}.</translation>
        </message>
        <message>
            <source>This machine has no device “{name}”. {others}</source>
            <translation>Dieser Rechner hat kein Gerät „{name}“. {others}</translation>
        </message>
        <message>
            <source>This model file has no chat template</source>
            <translation>Diese Modelldatei enthält keine Chat-Vorlage</translation>
        </message>
        <message>
            <source>This pair does not speculate: there is nothing to compare. Choose a sidecar that fits.</source>
            <translation>Dieses Paar spekuliert nicht: Es gibt nichts zu vergleichen. Wählen Sie ein passendes Sidecar.</translation>
        </message>
        <message>
            <source>This pair needs about {total:.1f} GiB of memory.</source>
            <translation>Dieses Paar braucht etwa {total:.1f} GiB Speicher.</translation>
        </message>
        <message>
            <source>This program does not know that format.</source>
            <translation>Dieses Programm kennt das Format nicht.</translation>
        </message>
        <message>
            <source>This target's memory cannot take back rejected drafts.</source>
            <translation>Der Speicher dieses Zielmodells kann verworfene Entwürfe nicht zurücknehmen.</translation>
        </message>
        <message>
            <source>This version cannot draft with an assistant of the kind “{architecture}”.</source>
            <translation>Diese Version kann nicht mit einem Assistenten der Art „{architecture}“ entwerfen.</translation>
        </message>
        <message>
            <source>Token {n} is {ours!r} in the target and {theirs!r} in the draft.</source>
            <translation>Token {n} ist {ours!r} im Zielmodell und {theirs!r} im Entwurfsmodell.</translation>
        </message>
        <message>
            <source>Token {n} is {ours} in the target and {theirs} in the sidecar.</source>
            <translation>Token {n} ist im Zielmodell {ours} und im Sidecar {theirs}.</translation>
        </message>
        <message>
            <source>Token {n}, {token}, is in the sidecar alone.</source>
            <translation>Token {n}, {token}, gibt es nur im Sidecar.</translation>
        </message>
        <message>
            <source>Token {n}, {token}, is in the target alone.</source>
            <translation>Token {n}, {token}, gibt es nur im Zielmodell.</translation>
        </message>
        <message>
            <source>Try again when it is free.</source>
            <translation>Versuchen Sie es wieder, wenn es frei ist.</translation>
        </message>
        <message>
            <source>Try again; if it happens again, choose a smaller context or fewer GPU layers.</source>
            <translation>Versuchen Sie es erneut; wenn es wieder geschieht, wählen Sie einen kleineren Kontext oder weniger GPU-Schichten.</translation>
        </message>
        <message>
            <source>Update Slipstream to import it.</source>
            <translation>Aktualisieren Sie Slipstream, um sie zu importieren.</translation>
        </message>
        <message>
            <source>Update Slipstream, or get the model in another quantisation.</source>
            <translation>Aktualisieren Sie Slipstream, oder besorgen Sie das Modell in einer anderen Quantisierung.</translation>
        </message>
        <message>
            <source>Update Slipstream.</source>
            <translation>Aktualisieren Sie Slipstream.</translation>
        </message>
        <message>
            <source>Update Slipstream; if the file is new, it may need a newer engine.</source>
            <translation>Aktualisieren Sie Slipstream; ist die Datei neu, braucht sie vielleicht eine neuere Engine.</translation>
        </message>
        <message>
            <source>Use a Python whose SQLite has FTS5, as those of python.org and of most systems do.</source>
            <translation>Verwenden Sie ein Python, dessen SQLite FTS5 hat, wie die von python.org und der meisten Systeme.</translation>
        </message>
        <message>
            <source>Use a newer Slipstream.</source>
            <translation>Verwenden Sie ein neueres Slipstream.</translation>
        </message>
        <message>
            <source>Usually there is not enough memory for it.</source>
            <translation>Meist reicht der Speicher dafür nicht.</translation>
        </message>
        <message>
            <source>Warming up</source>
            <translation>Aufwärmen</translation>
        </message>
        <message>
            <source>What there is of the reply does not follow the grammar.</source>
            <translation>Was von der Antwort schon da ist, folgt der Grammatik nicht.</translation>
        </message>
        <message>
            <source>Write a message first.</source>
            <translation>Schreiben Sie zuerst eine Nachricht.</translation>
        </message>
        <message>
            <source>Write a prompt first.</source>
            <translation>Schreiben Sie zuerst einen Prompt.</translation>
        </message>
        <message>
            <source>Write pattern=BUFFER.</source>
            <translation>Schreiben Sie Muster=PUFFER.</translation>
        </message>
        <message>
            <source>Write something first.</source>
            <translation>Schreiben Sie zuerst etwas.</translation>
        </message>
        <message>
            <source>Write {example} on every line.</source>
            <translation>Schreiben Sie in jede Zeile {example}.</translation>
        </message>
        <message>
            <source>Your conversations are safe. Copy the report if it happens again.</source>
            <translation>Ihre Unterhaltungen sind sicher. Kopieren Sie den Bericht, wenn es wieder geschieht.</translation>
        </message>
        <message>
            <source>a group that looks around or has a name</source>
            <translation>eine Gruppe, die vor- oder zurückschaut oder einen Namen hat</translation>
        </message>
        <message>
            <source>a keyword of the schema has a value of the wrong kind ({error})</source>
            <translation>ein Schlüsselwort des Schemas hat einen Wert der falschen Art ({error})</translation>
        </message>
        <message>
            <source>a null character is not allowed</source>
            <translation>ein Nullzeichen ist nicht erlaubt</translation>
        </message>
        <message>
            <source>a parenthesis that is not closed</source>
            <translation>eine Klammer, die nicht geschlossen wird</translation>
        </message>
        <message>
            <source>a parenthesis too many</source>
            <translation>eine Klammer zu viel</translation>
        </message>
        <message>
            <source>a pattern and a length cannot both be enforced</source>
            <translation>ein Muster und eine Länge lassen sich nicht zugleich erzwingen</translation>
        </message>
        <message>
            <source>a range whose end is before its start</source>
            <translation>einen Bereich, dessen Ende vor dem Anfang liegt</translation>
        </message>
        <message>
            <source>a repetition that is not {forms}</source>
            <translation>eine Wiederholung, die nicht {forms} ist</translation>
        </message>
        <message>
            <source>a row per slot: {k} candidate ids, then {k} x {k} scores by predecessor</source>
            <translation>eine Zeile je Platz: {k} Kandidaten, dann {k} x {k} Werte nach Vorgänger</translation>
        </message>
        <message>
            <source>a schema must be an object</source>
            <translation>ein Schema muss ein Objekt sein</translation>
        </message>
        <message>
            <source>accept</source>
            <translation>Annehmen</translation>
        </message>
        <message>
            <source>acceptance by position</source>
            <translation>Annahme nach Position</translation>
        </message>
        <message>
            <source>acceptance rate</source>
            <translation>Annahmerate</translation>
        </message>
        <message>
            <source>accepted</source>
            <translation>angenommen</translation>
        </message>
        <message>
            <source>active</source>
            <translation>aktiv</translation>
        </message>
        <message>
            <source>after loops</source>
            <translation>nach Schleifen</translation>
        </message>
        <message>
            <source>aggregate</source>
            <translation>insgesamt</translation>
        </message>
        <message>
            <source>algorithm</source>
            <translation>Algorithmus</translation>
        </message>
        <message>
            <source>all</source>
            <translation>alle</translation>
        </message>
        <message>
            <source>allOf asks for two kinds of {key}</source>
            <translation>allOf verlangt zweierlei {key}</translation>
        </message>
        <message>
            <source>allOf must list schemas that do not lead back to it</source>
            <translation>allOf muss Schemas auflisten, die nicht zu ihm zurückführen</translation>
        </message>
        <message>
            <source>an anchor beside alternatives that are not in parentheses</source>
            <translation>einen Anker neben Alternativen, die nicht in Klammern stehen</translation>
        </message>
        <message>
            <source>an end where more is expected</source>
            <translation>ein Ende, wo mehr erwartet wird</translation>
        </message>
        <message>
            <source>at {where}: {problem}</source>
            <translation>bei {where}: {problem}</translation>
        </message>
        <message>
            <source>backend</source>
            <translation>Backend</translation>
        </message>
        <message>
            <source>backend sampling</source>
            <translation>Sampling im Backend</translation>
        </message>
        <message>
            <source>built-in set</source>
            <translation>eingebaute Sammlung</translation>
        </message>
        <message>
            <source>by category</source>
            <translation>nach Kategorie</translation>
        </message>
        <message>
            <source>bytes</source>
            <translation>Byte</translation>
        </message>
        <message>
            <source>category</source>
            <translation>Kategorie</translation>
        </message>
        <message>
            <source>checkpoint</source>
            <translation>Sicherungspunkt</translation>
        </message>
        <message>
            <source>checkpoint time</source>
            <translation>Zeit für Sicherungspunkte</translation>
        </message>
        <message>
            <source>coding</source>
            <translation>Programmieren</translation>
        </message>
        <message>
            <source>comparison</source>
            <translation>Vergleich</translation>
        </message>
        <message>
            <source>copy-edit</source>
            <translation>Korrektur</translation>
        </message>
        <message>
            <source>copy-edit set</source>
            <translation>Korrektur-Sammlung</translation>
        </message>
        <message>
            <source>default long-form prompt</source>
            <translation>voreingestellter langer Prompt</translation>
        </message>
        <message>
            <source>divergences</source>
            <translation>Abweichungen</translation>
        </message>
        <message>
            <source>draft</source>
            <translation>Entwurf</translation>
        </message>
        <message>
            <source>draft length</source>
            <translation>Entwurfslänge</translation>
        </message>
        <message>
            <source>draft proposed</source>
            <translation>Entwurf vorgeschlagen</translation>
        </message>
        <message>
            <source>draft time</source>
            <translation>Entwurfszeit</translation>
        </message>
        <message>
            <source>draft_model_kwargs “{name}” cannot be done here.</source>
            <translation>draft_model_kwargs „{name}“ geht hier nicht.</translation>
        </message>
        <message>
            <source>enum must list its values</source>
            <translation>enum muss seine Werte auflisten</translation>
        </message>
        <message>
            <source>error</source>
            <translation>Fehler</translation>
        </message>
        <message>
            <source>expected a number</source>
            <translation>erwartet wird eine Zahl</translation>
        </message>
        <message>
            <source>expected the end of the line</source>
            <translation>erwartet wird das Zeilenende</translation>
        </message>
        <message>
            <source>expected the name of a rule (letters, digits and -)</source>
            <translation>erwartet wird der Name einer Regel (Buchstaben, Ziffern und -)</translation>
        </message>
        <message>
            <source>expected {sign}</source>
            <translation>erwartet wird {sign}</translation>
        </message>
        <message>
            <source>faster</source>
            <translation>schneller</translation>
        </message>
        <message>
            <source>file</source>
            <translation>Datei</translation>
        </message>
        <message>
            <source>file {name}</source>
            <translation>Datei {name}</translation>
        </message>
        <message>
            <source>first divergence</source>
            <translation>erste Abweichung</translation>
        </message>
        <message>
            <source>flash_attn is True, False or None, not {flash_attn!r}.</source>
            <translation>flash_attn ist True, False oder None, nicht {flash_attn!r}.</translation>
        </message>
        <message>
            <source>for prompts like these</source>
            <translation>für solche Prompts</translation>
        </message>
        <message>
            <source>generated tokens</source>
            <translation>erzeugte Token</translation>
        </message>
        <message>
            <source>groups are nested deeper than {n}</source>
            <translation>Gruppen sind tiefer als {n} verschachtelt</translation>
        </message>
        <message>
            <source>groups nested too deeply</source>
            <translation>zu tief verschachtelte Gruppen</translation>
        </message>
        <message>
            <source>its numbers of items contradict each other</source>
            <translation>seine Anzahlen widersprechen sich</translation>
        </message>
        <message>
            <source>less than 1 %</source>
            <translation>weniger als 1 %</translation>
        </message>
        <message>
            <source>library commit</source>
            <translation>Stand der Bibliothek</translation>
        </message>
        <message>
            <source>library version</source>
            <translation>Version der Bibliothek</translation>
        </message>
        <message>
            <source>likely</source>
            <translation>wahrscheinlich</translation>
        </message>
        <message>
            <source>line {line}, column {column}: {problem}</source>
            <translation>Zeile {line}, Spalte {column}: {problem}</translation>
        </message>
        <message>
            <source>load time</source>
            <translation>Ladezeit</translation>
        </message>
        <message>
            <source>logit gap</source>
            <translation>Logit-Abstand</translation>
        </message>
        <message>
            <source>logit gap at the divergence</source>
            <translation>Logit-Abstand an der Abweichung</translation>
        </message>
        <message>
            <source>long prose</source>
            <translation>lange Prosa</translation>
        </message>
        <message>
            <source>long-form</source>
            <translation>Langform</translation>
        </message>
        <message>
            <source>long-prose set</source>
            <translation>Sammlung langer Prosa</translation>
        </message>
        <message>
            <source>math</source>
            <translation>Rechnen</translation>
        </message>
        <message>
            <source>mean accepted length</source>
            <translation>mittlere angenommene Länge</translation>
        </message>
        <message>
            <source>mean accepted length by prompt</source>
            <translation>mittlere angenommene Länge nach Prompt</translation>
        </message>
        <message>
            <source>mean length</source>
            <translation>mittlere Länge</translation>
        </message>
        <message>
            <source>median</source>
            <translation>Median</translation>
        </message>
        <message>
            <source>memory</source>
            <translation>Speicher</translation>
        </message>
        <message>
            <source>more</source>
            <translation>mehr</translation>
        </message>
        <message>
            <source>more than 99 %</source>
            <translation>mehr als 99 %</translation>
        </message>
        <message>
            <source>more than {n} repetitions are not possible</source>
            <translation>mehr als {n} Wiederholungen sind nicht möglich</translation>
        </message>
        <message>
            <source>n_batch and n_ubatch must be at least {width} for drafts of {width2} tokens.</source>
            <translation>n_batch und n_ubatch müssen für Entwürfe von {width2} Token mindestens {width} sein.</translation>
        </message>
        <message>
            <source>n_ctx {n_ctx}, n_batch {n_batch}, n_ubatch {n_ubatch} do not go together.</source>
            <translation>n_ctx {n_ctx}, n_batch {n_batch} und n_ubatch {n_ubatch} passen nicht zusammen.</translation>
        </message>
        <message>
            <source>n_ctx {n_ctx}, n_batch {n_batch}, n_ubatch {n_ubatch}, threads {threads}, GPU layers {layers} and {draft_layers} (draft), draft_n_min {n_min}, draft_p_min {p_min:g}, temperature {temperature:g}, seed {seed}, ignore_eos {ignore_eos}</source>
            <translation>n_ctx {n_ctx}, n_batch {n_batch}, n_ubatch {n_ubatch}, Threads {threads}, GPU-Schichten {layers} und {draft_layers} (Entwurf), draft_n_min {n_min}, draft_p_min {p_min:g}, Temperatur {temperature:g}, Seed {seed}, ignore_eos {ignore_eos}</translation>
        </message>
        <message>
            <source>n_ubatch lies between 1 and n_batch, and n_ctx is not negative.</source>
            <translation>n_ubatch liegt zwischen 1 und n_batch, und n_ctx ist nicht negativ.</translation>
        </message>
        <message>
            <source>nextn layout</source>
            <translation>nextn-Aufbau</translation>
        </message>
        <message>
            <source>no</source>
            <translation>nein</translation>
        </message>
        <message>
            <source>no integer lies between the bounds</source>
            <translation>zwischen den Grenzen liegt keine ganze Zahl</translation>
        </message>
        <message>
            <source>none</source>
            <translation>keine</translation>
        </message>
        <message>
            <source>not a tie</source>
            <translation>kein Gleichstand</translation>
        </message>
        <message>
            <source>not active</source>
            <translation>nicht aktiv</translation>
        </message>
        <message>
            <source>not examined, the run was stopped</source>
            <translation>nicht untersucht, der Lauf wurde angehalten</translation>
        </message>
        <message>
            <source>not judged, the text was sampled</source>
            <translation>nicht beurteilt, der Text wurde gelost</translation>
        </message>
        <message>
            <source>not known (one run)</source>
            <translation>unbekannt (ein Lauf)</translation>
        </message>
        <message>
            <source>not requested</source>
            <translation>nicht verlangt</translation>
        </message>
        <message>
            <source>nothing is allowed here</source>
            <translation>hier ist nichts erlaubt</translation>
        </message>
        <message>
            <source>of a number only minimum 0 can be enforced</source>
            <translation>bei einer Zahl lässt sich nur minimum 0 erzwingen</translation>
        </message>
        <message>
            <source>of a repeat</source>
            <translation>einer Wiederholung</translation>
        </message>
        <message>
            <source>off</source>
            <translation>aus</translation>
        </message>
        <message>
            <source>on</source>
            <translation>ein</translation>
        </message>
        <message>
            <source>one for each of its {n} next-token heads</source>
            <translation>eins für jeden seiner {n} Köpfe für nächste Token</translation>
        </message>
        <message>
            <source>only references within the schema can be followed, not {ref!r}</source>
            <translation>nur Verweise innerhalb des Schemas lassen sich verfolgen, nicht {ref!r}</translation>
        </message>
        <message>
            <source>open</source>
            <translation>offen</translation>
        </message>
        <message>
            <source>operating system</source>
            <translation>Betriebssystem</translation>
        </message>
        <message>
            <source>ordinary</source>
            <translation>normal</translation>
        </message>
        <message>
            <source>ordinary throughput</source>
            <translation>Durchsatz normal</translation>
        </message>
        <message>
            <source>ordinary tok/s</source>
            <translation>normal Tok/s</translation>
        </message>
        <message>
            <source>ordinary {ordinary}, speculative {speculative}</source>
            <translation>normal {ordinary}, spekulativ {speculative}</translation>
        </message>
        <message>
            <source>other</source>
            <translation>Sonstiges</translation>
        </message>
        <message>
            <source>output tokens match</source>
            <translation>Ausgabe-Token stimmen überein</translation>
        </message>
        <message>
            <source>p_min was left at 0: this drafter has no probabilities to compare it with.</source>
            <translation>p_min blieb bei 0: Diese Art von Entwurf hat keine Wahrscheinlichkeiten zum Vergleichen.</translation>
        </message>
        <message>
            <source>process</source>
            <translation>Verarbeiten</translation>
        </message>
        <message>
            <source>process time</source>
            <translation>Verarbeitungszeit</translation>
        </message>
        <message>
            <source>prompt</source>
            <translation>Prompt</translation>
        </message>
        <message>
            <source>prompt or workload</source>
            <translation>Prompt oder Aufgaben</translation>
        </message>
        <message>
            <source>prompt {prompt} of {prompts}, run {run} of {runs}</source>
            <translation>Prompt {prompt} von {prompts}, Lauf {run} von {runs}</translation>
        </message>
        <message>
            <source>properties must be an object and required a list</source>
            <translation>properties muss ein Objekt und required eine Liste sein</translation>
        </message>
        <message>
            <source>proposed</source>
            <translation>vorgeschlagen</translation>
        </message>
        <message>
            <source>quantisation</source>
            <translation>Quantisierung</translation>
        </message>
        <message>
            <source>read, ordinary</source>
            <translation>Lesen, normal</translation>
        </message>
        <message>
            <source>read, speculative</source>
            <translation>Lesen, spekulativ</translation>
        </message>
        <message>
            <source>reasoning</source>
            <translation>Schlussfolgern</translation>
        </message>
        <message>
            <source>requested</source>
            <translation>verlangt</translation>
        </message>
        <message>
            <source>requested {requested}, active {active}</source>
            <translation>verlangt {requested}, aktiv {active}</translation>
        </message>
        <message>
            <source>role</source>
            <translation>Rolle</translation>
        </message>
        <message>
            <source>rollback</source>
            <translation>Rücknahme</translation>
        </message>
        <message>
            <source>rollbacks</source>
            <translation>Rücknahmen</translation>
        </message>
        <message>
            <source>run</source>
            <translation>Lauf</translation>
        </message>
        <message>
            <source>run {n}</source>
            <translation>Lauf {n}</translation>
        </message>
        <message>
            <source>run {run} of {runs}</source>
            <translation>Lauf {run} von {runs}</translation>
        </message>
        <message>
            <source>runs</source>
            <translation>Läufe</translation>
        </message>
        <message>
            <source>runs deterministic</source>
            <translation>Läufe deterministisch</translation>
        </message>
        <message>
            <source>schemas are nested deeper than {n}</source>
            <translation>Schemas sind tiefer als {n} verschachtelt</translation>
        </message>
        <message>
            <source>selector top-k</source>
            <translation>Top-k der Auswahl</translation>
        </message>
        <message>
            <source>settings</source>
            <translation>Einstellungen</translation>
        </message>
        <message>
            <source>single tokens in angle brackets are not possible here; write their text</source>
            <translation>einzelne Token in spitzen Klammern sind hier nicht möglich; schreiben Sie ihren Text</translation>
        </message>
        <message>
            <source>slower</source>
            <translation>langsamer</translation>
        </message>
        <message>
            <source>speculative throughput</source>
            <translation>Durchsatz spekulativ</translation>
        </message>
        <message>
            <source>speculative tok/s</source>
            <translation>spekulativ Tok/s</translation>
        </message>
        <message>
            <source>speedup</source>
            <translation>Beschleunigung</translation>
        </message>
        <message>
            <source>spread</source>
            <translation>Streuung</translation>
        </message>
        <message>
            <source>steps without drafting</source>
            <translation>Schritte ohne Entwurf</translation>
        </message>
        <message>
            <source>summarisation</source>
            <translation>Zusammenfassen</translation>
        </message>
        <message>
            <source>sure</source>
            <translation>sicher</translation>
        </message>
        <message>
            <source>sweep</source>
            <translation>Längenvergleich</translation>
        </message>
        <message>
            <source>target</source>
            <translation>Zielmodell</translation>
        </message>
        <message>
            <source>target decode+sync</source>
            <translation>Zielmodell Dekodieren+Warten</translation>
        </message>
        <message>
            <source>target decode/sync</source>
            <translation>Zielmodell Dekodieren/Warten</translation>
        </message>
        <message>
            <source>text</source>
            <translation>Text</translation>
        </message>
        <message>
            <source>the bound {bound!r} is no number</source>
            <translation>die Grenze {bound!r} ist keine Zahl</translation>
        </message>
        <message>
            <source>the bound {bound} of an integer must be a whole number</source>
            <translation>die Grenze {bound} einer ganzen Zahl muss selbst ganz sein</translation>
        </message>
        <message>
            <source>the grammar is empty</source>
            <translation>die Grammatik ist leer</translation>
        </message>
        <message>
            <source>the grammar is longer than {n} characters</source>
            <translation>die Grammatik ist länger als {n} Zeichen</translation>
        </message>
        <message>
            <source>the pattern holds a character that no JSON string can show</source>
            <translation>das Muster enthält ein Zeichen, das keine JSON-Zeichenkette zeigen kann</translation>
        </message>
        <message>
            <source>the pattern {pattern!r} holds {what}, which cannot be enforced</source>
            <translation>das Muster {pattern!r} enthält {what}, was sich nicht erzwingen lässt</translation>
        </message>
        <message>
            <source>the rule {name} begins with itself (left recursion)</source>
            <translation>die Regel {name} beginnt mit sich selbst (Linksrekursion)</translation>
        </message>
        <message>
            <source>the rule {name} can begin in too many ways</source>
            <translation>die Regel {name} kann auf zu viele Arten beginnen</translation>
        </message>
        <message>
            <source>the schema cannot be made a grammar: {problem}</source>
            <translation>aus dem Schema lässt sich keine Grammatik machen: {problem}</translation>
        </message>
        <message>
            <source>the schema is no JSON: {error}</source>
            <translation>das Schema ist kein JSON: {error}</translation>
        </message>
        <message>
            <source>the schema must be a JSON object</source>
            <translation>das Schema muss ein JSON-Objekt sein</translation>
        </message>
        <message>
            <source>the upper bound is below the lower one</source>
            <translation>die obere Grenze liegt unter der unteren</translation>
        </message>
        <message>
            <source>the user's prompt</source>
            <translation>eigener Prompt</translation>
        </message>
        <message>
            <source>there is no rule named {name}</source>
            <translation>es gibt keine Regel namens {name}</translation>
        </message>
        <message>
            <source>there is nothing before it to repeat</source>
            <translation>davor steht nichts, was sich wiederholen ließe</translation>
        </message>
        <message>
            <source>this is not closed</source>
            <translation>dies wird nicht geschlossen</translation>
        </message>
        <message>
            <source>this parenthesis is not closed</source>
            <translation>diese Klammer wird nicht geschlossen</translation>
        </message>
        <message>
            <source>throughput change</source>
            <translation>Änderung des Durchsatzes</translation>
        </message>
        <message>
            <source>tie</source>
            <translation>Gleichstand</translation>
        </message>
        <message>
            <source>token</source>
            <translation>Token</translation>
        </message>
        <message>
            <source>token {n}</source>
            <translation>Token {n}</translation>
        </message>
        <message>
            <source>token {n} of run {run}</source>
            <translation>Token {n} von Lauf {run}</translation>
        </message>
        <message>
            <source>tokens</source>
            <translation>Token</translation>
        </message>
        <message>
            <source>translation</source>
            <translation>Übersetzen</translation>
        </message>
        <message>
            <source>type {type!r} is unknown</source>
            <translation>der Typ {type!r} ist unbekannt</translation>
        </message>
        <message>
            <source>unknown</source>
            <translation>unbekannt</translation>
        </message>
        <message>
            <source>unknown escape; a backslash itself is written twice</source>
            <translation>unbekanntes Escape-Zeichen; ein Backslash selbst wird doppelt geschrieben</translation>
        </message>
        <message>
            <source>unknown speculative algorithm {name!r}; known are {known}</source>
            <translation>unbekannter spekulativer Algorithmus {name!r}; bekannt sind {known}</translation>
        </message>
        <message>
            <source>verdict</source>
            <translation>Urteil</translation>
        </message>
        <message>
            <source>verification steps</source>
            <translation>Prüfschritte</translation>
        </message>
        <message>
            <source>verified</source>
            <translation>geprüft</translation>
        </message>
        <message>
            <source>warm-up</source>
            <translation>Aufwärmen</translation>
        </message>
        <message>
            <source>warning</source>
            <translation>Warnung</translation>
        </message>
        <message>
            <source>what may be empty is repeated without end</source>
            <translation>was leer sein darf, wird endlos wiederholt</translation>
        </message>
        <message>
            <source>within noise</source>
            <translation>im Rauschen</translation>
        </message>
        <message>
            <source>without loops</source>
            <translation>ohne Schleifen</translation>
        </message>
        <message>
            <source>writing</source>
            <translation>Schreiben</translation>
        </message>
        <message>
            <source>yes</source>
            <translation>ja</translation>
        </message>
        <message>
            <source>{algorithm}, draft length {length}</source>
            <translation>{algorithm}, Entwurfslänge {length}</translation>
        </message>
        <message>
            <source>{count:,}</source>
            <translation>{count:,}</translation>
        </message>
        <message>
            <source>{cpu}, {n} cores</source>
            <translation>{cpu}, {n} Kerne</translation>
        </message>
        <message>
            <source>{draft_n_cpu_moe} layers cannot be.</source>
            <translation>{draft_n_cpu_moe} Schichten kann es nicht geben.</translation>
        </message>
        <message>
            <source>{entry!r} is no override.</source>
            <translation>{entry!r} ist keine Überschreibung.</translation>
        </message>
        <message>
            <source>{escape} without its digits</source>
            <translation>{escape} ohne seine Ziffern</translation>
        </message>
        <message>
            <source>{file} ({name}, {architecture}, {quantisation}, {size})</source>
            <translation>{file} ({name}, {architecture}, {quantisation}, {size})</translation>
        </message>
        <message>
            <source>{file} ({name}, {size})</source>
            <translation>{file} ({name}, {size})</translation>
        </message>
        <message>
            <source>{gap:.4g} (rounding between widths: {noise:.4g})</source>
            <translation>{gap:.4g} (Rundung zwischen Breiten: {noise:.4g})</translation>
        </message>
        <message>
            <source>{high} is below {low}</source>
            <translation>{high} liegt unter {low}</translation>
        </message>
        <message>
            <source>{kept} of its messages could still be read and were kept. The damaged file is {aside}.</source>
            <translation>{kept} ihrer Nachrichten waren noch lesbar und wurden behalten. Die beschädigte Datei ist {aside}.</translation>
        </message>
        <message>
            <source>{keyword} must list schemas</source>
            <translation>{keyword} muss Schemas auflisten</translation>
        </message>
        <message>
            <source>{kind}: {why}</source>
            <translation>{kind}: {why}</translation>
        </message>
        <message>
            <source>{length} (the fastest of the {n} swept)</source>
            <translation>{length} (die schnellste der {n} verglichenen)</translation>
        </message>
        <message>
            <source>{low} to {high}</source>
            <translation>{low} bis {high}</translation>
        </message>
        <message>
            <source>{n:+.1f} %</source>
            <translation>{n:+.1f} %</translation>
        </message>
        <message>
            <source>{n:.1f} %</source>
            <translation>{n:.1f} %</translation>
        </message>
        <message>
            <source>{n:.1f} GB</source>
            <translation>{n:.1f} GB</translation>
        </message>
        <message>
            <source>{n:.1f} GiB</source>
            <translation>{n:.1f} GiB</translation>
        </message>
        <message>
            <source>{n:.1f} MB</source>
            <translation>{n:.1f} MB</translation>
        </message>
        <message>
            <source>{n:.1f} tok/s</source>
            <translation>{n:.1f} Tok/s</translation>
        </message>
        <message>
            <source>{n:.3f} s</source>
            <translation>{n:.3f} s</translation>
        </message>
        <message>
            <source>{name!r} is no KV cache type.</source>
            <translation>{name!r} ist kein Typ für den KV-Cache.</translation>
        </message>
        <message>
            <source>{names} cannot be combined.</source>
            <translation>{names} lassen sich nicht kombinieren.</translation>
        </message>
        <message>
            <source>{name} ({memory})</source>
            <translation>{name} ({memory})</translation>
        </message>
        <message>
            <source>{name} cannot be done here.</source>
            <translation>{name} geht hier nicht.</translation>
        </message>
        <message>
            <source>{name} cannot be enforced here</source>
            <translation>{name} lässt sich hier nicht erzwingen</translation>
        </message>
        <message>
            <source>{name} cannot be loaded: this engine does not know its architecture.</source>
            <translation>{name} kann nicht geladen werden: Diese Engine kennt die Architektur nicht.</translation>
        </message>
        <message>
            <source>{name} cannot be read.</source>
            <translation>{name} kann nicht gelesen werden.</translation>
        </message>
        <message>
            <source>{name} could not be written.</source>
            <translation>{name} konnte nicht geschrieben werden.</translation>
        </message>
        <message>
            <source>{name} holds no conversations.</source>
            <translation>{name} enthält keine Unterhaltungen.</translation>
        </message>
        <message>
            <source>{name} is not a file of conversations.</source>
            <translation>{name} ist keine Datei mit Unterhaltungen.</translation>
        </message>
        <message>
            <source>{name} is required, but no property</source>
            <translation>{name} ist verlangt, aber keine Eigenschaft</translation>
        </message>
        <message>
            <source>{name} must be a whole number up to 2000</source>
            <translation>{name} muss eine ganze Zahl bis 2000 sein</translation>
        </message>
        <message>
            <source>{name} was written by a newer version of Slipstream.</source>
            <translation>{name} wurde von einer neueren Version von Slipstream geschrieben.</translation>
        </message>
        <message>
            <source>{n} (native {native}, checkpoint {checkpoint})</source>
            <translation>{n} (nativ {native}, Sicherungspunkt {checkpoint})</translation>
        </message>
        <message>
            <source>{n} ({share})</source>
            <translation>{n} ({share})</translation>
        </message>
        <message>
            <source>{n} in {steps} steps</source>
            <translation>{n} in {steps} Schritten</translation>
        </message>
        <message>
            <source>{n} of them measured</source>
            <translation>{n} davon gemessen</translation>
        </message>
        <message>
            <source>{n} paired, interleaved, up to {tokens} tokens each</source>
            <translation>{n} gepaart, verschränkt, je bis zu {tokens} Token</translation>
        </message>
        <message>
            <source>{n} pairs</source>
            <translation>{n} Paare</translation>
        </message>
        <message>
            <source>{n} prompts</source>
            <translation>{n} Prompts</translation>
        </message>
        <message>
            <source>{n} prompts ({counted})</source>
            <translation>{n} Prompts ({counted})</translation>
        </message>
        <message>
            <source>{n} prompts in {kinds} categories</source>
            <translation>{n} Prompts in {kinds} Kategorien</translation>
        </message>
        <message>
            <source>{n} tok/s (median)</source>
            <translation>{n} Tok/s (Median)</translation>
        </message>
        <message>
            <source>{n} tokens</source>
            <translation>{n} Token</translation>
        </message>
        <message>
            <source>{n} tokens a step, bonus token included</source>
            <translation>{n} Token je Schritt, das eigene Token mitgezählt</translation>
        </message>
        <message>
            <source>{n} tokens in each mode</source>
            <translation>{n} Token in jedem Modus</translation>
        </message>
        <message>
            <source>{n} x {name}</source>
            <translation>{n} x {name}</translation>
        </message>
        <message>
            <source>{n}, the trained block</source>
            <translation>{n}, den trainierten Block</translation>
        </message>
        <message>
            <source>{ordinary} ordinary, {speculative} speculative</source>
            <translation>{ordinary} normal, {speculative} spekulativ</translation>
        </message>
        <message>
            <source>{path} was gone.</source>
            <translation>{path} war verschwunden.</translation>
        </message>
        <message>
            <source>{rate} ({generated} tokens; {timed} timed in {time})</source>
            <translation>{rate} ({generated} Token; {timed} gemessen in {time})</translation>
        </message>
        <message>
            <source>{rate} ({n} timed tokens in {time})</source>
            <translation>{rate} ({n} gemessene Token in {time})</translation>
        </message>
        <message>
            <source>{ratio:.3f}x (95 % interval {of} {low:.3f} to {high:.3f}, {pairs})</source>
            <translation>{ratio:.3f}x (95-%-Intervall {of} {low:.3f} bis {high:.3f}, {pairs})</translation>
        </message>
        <message>
            <source>{ratio:.3f}x from {pairs}: too few to tell how sure this is</source>
            <translation>{ratio:.3f}x aus {pairs}: zu wenig, um zu sagen, wie sicher das ist</translation>
        </message>
        <message>
            <source>{ratio:.3f}x, within noise: the runs ({pairs}) differ too much to claim anything</source>
            <translation>{ratio:.3f}x, im Rauschen: Die Läufe ({pairs}) sind zu verschieden, um etwas zu behaupten</translation>
        </message>
        <message>
            <source>{reason}; {title} template is used instead.</source>
            <translation>{reason}; stattdessen gilt die Vorlage {title}.</translation>
        </message>
        <message>
            <source>{ref} leads nowhere</source>
            <translation>{ref} führt ins Leere</translation>
        </message>
        <message>
            <source>{runs} (stopped early)</source>
            <translation>{runs} (vorzeitig angehalten)</translation>
        </message>
        <message>
            <source>{sign} where a character is expected</source>
            <translation>{sign}, wo ein Zeichen erwartet wird</translation>
        </message>
        <message>
            <source>{spread} ({lowest} to {highest})</source>
            <translation>{spread} ({lowest} bis {highest})</translation>
        </message>
        <message>
            <source>{text}.</source>
            <translation>{text}.</translation>
        </message>
        <message>
            <source>{text}. The sweep was stopped early.</source>
            <translation>{text}. Der Vergleich wurde vorzeitig angehalten.</translation>
        </message>
        <message>
            <source>{text}: within noise, no speedup or slowdown is claimed</source>
            <translation>{text}: im Rauschen, weder Beschleunigung noch Verlangsamung wird behauptet</translation>
        </message>
        <message>
            <source>{text}: {verdict}</source>
            <translation>{text}: {verdict}</translation>
        </message>
        <message>
            <source>{text}; the fastest choice with {chance} probability ({certainty})</source>
            <translation>{text}; mit {chance} Wahrscheinlichkeit die schnellste Wahl ({certainty})</translation>
        </message>
        <message>
            <source>{text}; too few pairs to tell how sure this is</source>
            <translation>{text}; zu wenige Paare, um zu sagen, wie sicher das ist</translation>
        </message>
        <message>
            <source>{time} (loaded before, target and draft together)</source>
            <translation>{time} (vorher geladen, Zielmodell und Entwurf zusammen)</translation>
        </message>
        <message>
            <source>{time} (nothing besides the target)</source>
            <translation>{time} (nichts außer dem Zielmodell)</translation>
        </message>
        <message>
            <source>{time} (target and draft)</source>
            <translation>{time} (Zielmodell und Entwurf)</translation>
        </message>
        <message>
            <source>{time} (the target; one load serves both modes)</source>
            <translation>{time} (das Zielmodell; einmal geladen für beide Modi)</translation>
        </message>
        <message>
            <source>{time} ({captured} captured, {restored} restored)</source>
            <translation>{time} ({captured} gesichert, {restored} wiederhergestellt)</translation>
        </message>
        <message>
            <source>{to_str} needs a draft file.</source>
            <translation>{to_str} braucht eine Entwurfsdatei.</translation>
        </message>
        <message>
            <source>{value!r} is no KV cache type.</source>
            <translation>{value!r} ist kein Typ für den KV-Cache.</translation>
        </message>
        <message>
            <source>{value!r} is no number of layers.</source>
            <translation>{value!r} ist keine Anzahl von Schichten.</translation>
        </message>
        <message>
            <source>{value!r} is no number of threads.</source>
            <translation>{value!r} ist keine Anzahl von Threads.</translation>
        </message>
        <message>
            <source>{where}, prompt {n}</source>
            <translation>{where}, Prompt {n}</translation>
        </message>
        <message>
            <source>{workload}: {prompts}</source>
            <translation>{workload}: {prompts}</translation>
        </message>
        <message>
            <source>{yes} ({n} of {pairs} pairs)</source>
            <translation>{yes} ({n} von {pairs} Paaren)</translation>
        </message>
        <message>
            <source>“{label}” is no model to chat with.</source>
            <translation>Mit „{label}“ kann man nicht chatten.</translation>
        </message>
        <message>
            <source>“{name}” cannot be read.</source>
            <translation>„{name}“ kann nicht gelesen werden.</translation>
        </message>
        <message>
            <source>“{name}” carries no next-token heads (MTP).</source>
            <translation>„{name}“ enthält keine Köpfe für das nächste Token (MTP).</translation>
        </message>
        <message>
            <source>“{name}” carries {heads} next-token heads.</source>
            <translation>„{name}“ enthält {heads} Köpfe für das nächste Token.</translation>
        </message>
        <message>
            <source>“{name}” has an impossible header.</source>
            <translation>„{name}“ hat einen unmöglichen Header.</translation>
        </message>
        <message>
            <source>“{name}” has changed while it was being read.</source>
            <translation>„{name}“ hat sich beim Lesen geändert.</translation>
        </message>
        <message>
            <source>“{name}” has no experts.</source>
            <translation>„{name}“ hat keine Experten.</translation>
        </message>
        <message>
            <source>“{name}” is a folder.</source>
            <translation>„{name}“ ist ein Ordner.</translation>
        </message>
        <message>
            <source>“{name}” is a later part of a model in {count} files.</source>
            <translation>„{name}“ ist ein späterer Teil eines Modells aus {count} Dateien.</translation>
        </message>
        <message>
            <source>“{name}” is a {kind} sidecar, which drafts for a model and cannot chat by itself.</source>
            <translation>„{name}“ ist ein {kind}-Sidecar, das für ein Modell entwirft und allein nicht chatten kann.</translation>
        </message>
        <message>
            <source>“{name}” is an ordinary model, not a sidecar.</source>
            <translation>„{name}“ ist ein gewöhnliches Modell, kein Sidecar.</translation>
        </message>
        <message>
            <source>“{name}” is cut short.</source>
            <translation>„{name}“ ist unvollständig.</translation>
        </message>
        <message>
            <source>“{name}” is damaged.</source>
            <translation>„{name}“ ist beschädigt.</translation>
        </message>
        <message>
            <source>“{name}” is empty.</source>
            <translation>„{name}“ ist leer.</translation>
        </message>
        <message>
            <source>“{name}” is for machines of the other byte order.</source>
            <translation>„{name}“ ist für Rechner mit anderer Bytereihenfolge.</translation>
        </message>
        <message>
            <source>“{name}” is in an old form of the format.</source>
            <translation>„{name}“ hat eine alte Form des Formats.</translation>
        </message>
        <message>
            <source>“{name}” is newer than this program.</source>
            <translation>„{name}“ ist neuer als dieses Programm.</translation>
        </message>
        <message>
            <source>“{name}” is not a GGUF file.</source>
            <translation>„{name}“ ist keine GGUF-Datei.</translation>
        </message>
        <message>
            <source>“{name}” is not a chat model.</source>
            <translation>„{name}“ ist kein Chat-Modell.</translation>
        </message>
        <message>
            <source>“{name}” is not a file.</source>
            <translation>„{name}“ ist keine Datei.</translation>
        </message>
        <message>
            <source>“{name}” is not a sidecar.</source>
            <translation>„{name}“ ist kein Sidecar.</translation>
        </message>
        <message>
            <source>“{name}” is not there.</source>
            <translation>„{name}“ ist nicht da.</translation>
        </message>
        <message>
            <source>“{name}” is one part of a model and was renamed.</source>
            <translation>„{name}“ ist ein Teil eines Modells und wurde umbenannt.</translation>
        </message>
        <message>
            <source>“{name}” needs a newer engine.</source>
            <translation>„{name}“ braucht eine neuere Engine.</translation>
        </message>
        <message>
            <source>“{name}” uses a quantisation that is no longer read.</source>
            <translation>„{name}“ verwendet eine Quantisierung, die nicht mehr gelesen wird.</translation>
        </message>
        <message>
            <source>“{name}” was not converted for chatting.</source>
            <translation>„{name}“ wurde nicht fürs Chatten konvertiert.</translation>
        </message>
        <message>
            <source>“{pair}” is no pattern: {error}.</source>
            <translation>„{pair}“ ist kein Muster: {error}.</translation>
        </message>
    </context>
    <context>
        <name>SamplingPage</name>
        <message>
            <source>A JSON schema. What cannot be kept to is refused by name.</source>
            <translation>Ein JSON-Schema. Was nicht eingehalten werden kann, wird genannt und abgelehnt.</translation>
        </message>
        <message>
            <source>A fixed seed makes a reply repeatable. 0 to 4294967295. Each reply records its seed.</source>
            <translation>Ein fester Seed macht eine Antwort wiederholbar. 0 bis 4294967295. Jede Antwort hält ihren Seed fest.</translation>
        </message>
        <message>
            <source>A grammar in GBNF; it begins with the rule named root.</source>
            <translation>Eine Grammatik in GBNF; sie beginnt mit der Regel root.</translation>
        </message>
        <message>
            <source>A reply is cut here; it ends earlier at the end of the context.</source>
            <translation>Hier wird eine Antwort abgeschnitten; früher, wenn der Kontext voll ist.</translation>
        </message>
        <message>
            <source>A token this probable counts as good. 0 to 1.</source>
            <translation>Ein so wahrscheinliches Token gilt als gut. 0 bis 1.</translation>
        </message>
        <message>
            <source>Advanced</source>
            <translation>Erweitert</translation>
        </message>
        <message>
            <source>Against going on with a passage that was there before. 0 to 10; 0 is off.</source>
            <translation>Gegen das Fortsetzen einer Passage, die schon dastand. 0 bis 10; 0 ist aus.</translation>
        </message>
        <message>
            <source>Balanced</source>
            <translation>Ausgewogen</translation>
        </message>
        <message>
            <source>Changes take effect with the next reply. They are the same with and without speculation.</source>
            <translation>Änderungen wirken ab der nächsten Antwort. Sie gelten mit und ohne Spekulation gleich.</translation>
        </message>
        <message>
            <source>Creative</source>
            <translation>Kreativ</translation>
        </message>
        <message>
            <source>Custom</source>
            <translation>Eigene</translation>
        </message>
        <message>
            <source>DRY allowed length</source>
            <translation>DRY: erlaubte Länge</translation>
        </message>
        <message>
            <source>DRY growth</source>
            <translation>DRY: Wachstum</translation>
        </message>
        <message>
            <source>DRY strength</source>
            <translation>DRY: Stärke</translation>
        </message>
        <message>
            <source>DRY window</source>
            <translation>DRY: Fenster</translation>
        </message>
        <message>
            <source>Dynamic exponent</source>
            <translation>Dynamik-Exponent</translation>
        </message>
        <message>
            <source>Dynamic temperature</source>
            <translation>Dynamische Temperatur</translation>
        </message>
        <message>
            <source>Form of the reply</source>
            <translation>Form der Antwort</translation>
        </message>
        <message>
            <source>Frequency penalty</source>
            <translation>Häufigkeitsstrafe</translation>
        </message>
        <message>
            <source>Greedy</source>
            <translation>Gierig</translation>
        </message>
        <message>
            <source>Greedy takes the likeliest token: one prompt, one reply.</source>
            <translation>Gierig nimmt das wahrscheinlichste Token: ein Prompt, eine Antwort.</translation>
        </message>
        <message>
            <source>Grows with every use of a token in the penalty window. -2 to 2; 0 is off.</source>
            <translation>Wächst mit jeder Verwendung eines Tokens im Fenster der Strafe. -2 bis 2; 0 ist aus.</translation>
        </message>
        <message>
            <source>How far back passages count. 0 is off, -1 the whole context.</source>
            <translation>Wie weit zurück Passagen zählen. 0 ist aus, -1 der ganze Kontext.</translation>
        </message>
        <message>
            <source>How far back the penalty looks. 0 is off, -1 the whole context.</source>
            <translation>Wie weit die Strafe zurückblickt. 0 ist aus, -1 der ganze Kontext.</translation>
        </message>
        <message>
            <source>How freely tokens are chosen. 0 to 5; 0 is greedy.</source>
            <translation>Wie frei Token gewählt werden. 0 bis 5; 0 ist gierig.</translation>
        </message>
        <message>
            <source>How often the likeliest of several good tokens are left out. 0 to 1; 0 is off.</source>
            <translation>Wie oft die wahrscheinlichsten von mehreren guten Token wegbleiben. 0 bis 1; 0 ist aus.</translation>
        </message>
        <message>
            <source>How quickly it grows with the passage. 1 to 10.</source>
            <translation>Wie schnell sie mit der Passage wächst. 1 bis 10.</translation>
        </message>
        <message>
            <source>How quickly it is steered there. Above 0 to 10.</source>
            <translation>Wie schnell dorthin gesteuert wird. Über 0 bis 10.</translation>
        </message>
        <message>
            <source>How the temperature follows the doubt. Above 0 to 10; 1 is even.</source>
            <translation>Wie die Temperatur der Unsicherheit folgt. Über 0 bis 10; 1 ist gleichmäßig.</translation>
        </message>
        <message>
            <source>JSON</source>
            <translation>JSON</translation>
        </message>
        <message>
            <source>JSON schema</source>
            <translation>JSON-Schema</translation>
        </message>
        <message>
            <source>Keeps the reply equally surprising all along, in place of the cuts above.</source>
            <translation>Hält die Antwort durchgehend gleich überraschend, anstelle der Kürzungen oben.</translation>
        </message>
        <message>
            <source>Longest reply</source>
            <translation>Längste Antwort</translation>
        </message>
        <message>
            <source>Makes tokens that were used lately less likely. Above 0 to 5; 1 is off.</source>
            <translation>Macht kürzlich verwendete Token unwahrscheinlicher. Über 0 bis 5; 1 ist aus.</translation>
        </message>
        <message>
            <source>Min-p</source>
            <translation>Min-p</translation>
        </message>
        <message>
            <source>Mirostat</source>
            <translation>Mirostat</translation>
        </message>
        <message>
            <source>More against repetition</source>
            <translation>Mehr gegen Wiederholung</translation>
        </message>
        <message>
            <source>More ways to choose</source>
            <translation>Weitere Auswahlverfahren</translation>
        </message>
        <message>
            <source>Next token</source>
            <translation>Nächstes Token</translation>
        </message>
        <message>
            <source>Only the k likeliest tokens stay in the draw. 0 to 100000; 0 switches it off.</source>
            <translation>Nur die k wahrscheinlichsten Token bleiben in der Auswahl. 0 bis 100000; 0 schaltet es aus.</translation>
        </message>
        <message>
            <source>Passages up to this length may be repeated. 0 to 1000.</source>
            <translation>Passagen bis zu dieser Länge dürfen sich wiederholen. 0 bis 1000.</translation>
        </message>
        <message>
            <source>Penalty window</source>
            <translation>Fenster der Strafe</translation>
        </message>
        <message>
            <source>Precise</source>
            <translation>Präzise</translation>
        </message>
        <message>
            <source>Presence penalty</source>
            <translation>Präsenzstrafe</translation>
        </message>
        <message>
            <source>Preset</source>
            <translation>Voreinstellung</translation>
        </message>
        <message>
            <source>Repeat penalty</source>
            <translation>Wiederholungsstrafe</translation>
        </message>
        <message>
            <source>Repetition</source>
            <translation>Wiederholung</translation>
        </message>
        <message>
            <source>Reply</source>
            <translation>Antwort</translation>
        </message>
        <message>
            <source>Sampling</source>
            <translation>Sampling</translation>
        </message>
        <message>
            <source>Schema or grammar</source>
            <translation>Schema oder Grammatik</translation>
        </message>
        <message>
            <source>Seed</source>
            <translation>Seed</translation>
        </message>
        <message>
            <source>Steady surprise</source>
            <translation>Gleichmäßige Überraschung</translation>
        </message>
        <message>
            <source>Steering</source>
            <translation>Steuerung</translation>
        </message>
        <message>
            <source>Surprise</source>
            <translation>Überraschung</translation>
        </message>
        <message>
            <source>Temperature</source>
            <translation>Temperatur</translation>
        </message>
        <message>
            <source>The likeliest tokens that add up to this. Above 0 to 1; 1 is off.</source>
            <translation>Die wahrscheinlichsten Token, die zusammen dies ergeben. Über 0 bis 1; 1 ist aus.</translation>
        </message>
        <message>
            <source>The same for every token that was used at all. -2 to 2; 0 is off.</source>
            <translation>Dieselbe für jedes Token, das überhaupt vorkam. -2 bis 2; 0 ist aus.</translation>
        </message>
        <message>
            <source>The surprise wanted, in bits. Above 0 to 100.</source>
            <translation>Die gewünschte Überraschung in Bit. Über 0 bis 100.</translation>
        </message>
        <message>
            <source>The temperature moves so far up and down with the model's doubt. 0 to 5; 0 is off.</source>
            <translation>So weit schwankt die Temperatur mit der Unsicherheit des Modells. 0 bis 5; 0 ist aus.</translation>
        </message>
        <message>
            <source>Tokens about as surprising as expected, up to this share. Above 0 to 1; 1 is off.</source>
            <translation>Token, die etwa so überraschend sind wie erwartet, bis zu diesem Anteil. Über 0 bis 1; 1 ist aus.</translation>
        </message>
        <message>
            <source>Tokens at least this probable, compared with the likeliest. 0 to 1; 0 is off.</source>
            <translation>Token, die im Vergleich zum wahrscheinlichsten mindestens so wahrscheinlich sind. 0 bis 1; 0 ist aus.</translation>
        </message>
        <message>
            <source>Tokens within so many standard deviations of the best. 0 to 10; 0 is off.</source>
            <translation>Token innerhalb so vieler Standardabweichungen vom besten. 0 bis 10; 0 ist aus.</translation>
        </message>
        <message>
            <source>Top-k</source>
            <translation>Top-k</translation>
        </message>
        <message>
            <source>Top-n-sigma</source>
            <translation>Top-n-sigma</translation>
        </message>
        <message>
            <source>Top-p</source>
            <translation>Top-p</translation>
        </message>
        <message>
            <source>Typical-p</source>
            <translation>Typical-p</translation>
        </message>
        <message>
            <source>What every reply must look like. The model cannot leave it.</source>
            <translation>Wie jede Antwort aussehen muss. Das Modell kann davon nicht abweichen.</translation>
        </message>
        <message>
            <source>XTC probability</source>
            <translation>XTC-Wahrscheinlichkeit</translation>
        </message>
        <message>
            <source>XTC threshold</source>
            <translation>XTC-Schwelle</translation>
        </message>
        <message>
            <source>any text</source>
            <translation>beliebiger Text</translation>
        </message>
        <message>
            <source>fixed</source>
            <translation>fest</translation>
        </message>
        <message>
            <source>grammar</source>
            <translation>Grammatik</translation>
        </message>
        <message>
            <source>off</source>
            <translation>aus</translation>
        </message>
        <message>
            <source>random</source>
            <translation>zufällig</translation>
        </message>
        <message>
            <source>tokens</source>
            <translation>Token</translation>
        </message>
    </context>
    <context>
        <name>SamplingPlace</name>
        <message>
            <source>Draft tokens are chosen on the host: {algorithm} leaves nothing to the device.</source>
            <translation>Entwurfs-Token werden auf dem Host gewählt: {algorithm} überlässt dem Gerät nichts.</translation>
        </message>
        <message>
            <source>The device chooses the draft's tokens.</source>
            <translation>Das Gerät wählt die Token des Entwurfs.</translation>
        </message>
        <message>
            <source>The device chooses the target's tokens.</source>
            <translation>Das Gerät wählt die Token des Zielmodells.</translation>
        </message>
        <message>
            <source>The device is to choose the target's tokens, where it can.</source>
            <translation>Das Gerät soll die Token des Zielmodells wählen, wo es kann.</translation>
        </message>
        <message>
            <source>The target's tokens are chosen on the host. {reason}</source>
            <translation>Die Token des Zielmodells werden auf dem Host gewählt. {reason}</translation>
        </message>
    </context>
    <context>
        <name>SaveButton</name>
        <message>
            <source>Not saved: {reason}</source>
            <translation>Nicht gespeichert: {reason}</translation>
        </message>
        <message>
            <source>Saved as {name}</source>
            <translation>Gespeichert als {name}</translation>
        </message>
    </context>
    <context>
        <name>ScrolledChips</name>
        <message>
            <source>Attached files</source>
            <translation>Angehängte Dateien</translation>
        </message>
    </context>
    <context>
        <name>SettingsDialog</name>
        <message>
            <source>About Slipstream</source>
            <translation>Über Slipstream</translation>
        </message>
        <message>
            <source>Cancel</source>
            <translation>Abbrechen</translation>
        </message>
        <message>
            <source>Fill this page with defaults. Nothing is saved until you save.</source>
            <translation>Diese Seite mit Standardwerten füllen. Gespeichert wird erst, wenn Sie speichern.</translation>
        </message>
        <message>
            <source>Keyboard shortcuts</source>
            <translation>Tastenkürzel</translation>
        </message>
        <message>
            <source>Nothing was saved yet: mend the fields in red.</source>
            <translation>Noch nichts gespeichert: Berichtigen Sie die roten Felder.</translation>
        </message>
        <message>
            <source>Pages</source>
            <translation>Seiten</translation>
        </message>
        <message>
            <source>Reload now</source>
            <translation>Jetzt neu laden</translation>
        </message>
        <message>
            <source>Reset to defaults</source>
            <translation>Auf Standardwerte zurücksetzen</translation>
        </message>
        <message>
            <source>Save</source>
            <translation>Speichern</translation>
        </message>
        <message>
            <source>Save the settings and load the pair again with them.</source>
            <translation>Die Einstellungen speichern und das Paar damit neu laden.</translation>
        </message>
        <message>
            <source>Settings</source>
            <translation>Einstellungen</translation>
        </message>
        <message>
            <source>Some changes need a reload.</source>
            <translation>Einige Änderungen brauchen ein Neuladen.</translation>
        </message>
    </context>
    <context>
        <name>SettingsValues</name>
        <message>
            <source>Enter a number above {low}, up to {high}.</source>
            <translation>Geben Sie eine Zahl über {low} bis {high} ein.</translation>
        </message>
        <message>
            <source>Enter a number from {low} to {high}.</source>
            <translation>Geben Sie eine Zahl von {low} bis {high} ein.</translation>
        </message>
        <message>
            <source>Enter a whole number from {low} to {high}.</source>
            <translation>Geben Sie eine ganze Zahl von {low} bis {high} ein.</translation>
        </message>
        <message>
            <source>Enter auto, all or a number of layers up to {high}.</source>
            <translation>Geben Sie auto, alle oder eine Anzahl von Schichten bis {high} ein.</translation>
        </message>
        <message>
            <source>Must be at least {low}: one token and a whole draft are verified in one batch.</source>
            <translation>Muss mindestens {low} sein: Ein Token und ein ganzer Entwurf werden in einem Batch geprüft.</translation>
        </message>
        <message>
            <source>Must not be larger than the batch size, {n_batch}.</source>
            <translation>Darf nicht größer als die Batchgröße {n_batch} sein.</translation>
        </message>
        <message>
            <source>Must not be larger than the draft length, {n_max}.</source>
            <translation>Darf nicht größer als die Entwurfslänge {n_max} sein.</translation>
        </message>
        <message>
            <source>Write it here, or choose any text.</source>
            <translation>Schreiben Sie sie hier, oder wählen Sie „beliebiger Text“.</translation>
        </message>
    </context>
    <context>
        <name>SetupCard</name>
        <message>
            <source>Built-in set (24 prompts)</source>
            <translation>Eingebauter Satz (24 Prompts)</translation>
        </message>
        <message>
            <source>Choose…</source>
            <translation>Wählen …</translation>
        </message>
        <message>
            <source>Compare draft lengths and recommend one</source>
            <translation>Entwurfslängen vergleichen und eine empfehlen</translation>
        </message>
        <message>
            <source>Copy-edit set (6 prompts)</source>
            <translation>Satz zur Textüberarbeitung (6 Prompts)</translation>
        </message>
        <message>
            <source>Draft length</source>
            <translation>Entwurfslänge</translation>
        </message>
        <message>
            <source>Draft lengths to compare</source>
            <translation>Zu vergleichende Entwurfslängen</translation>
        </message>
        <message>
            <source>Each run is a pair: once without and once with drafts.</source>
            <translation>Jeder Lauf ist ein Paar: einmal ohne und einmal mit Entwürfen.</translation>
        </message>
        <message>
            <source>File with prompts</source>
            <translation>Datei mit Prompts</translation>
        </message>
        <message>
            <source>For example 1,2,4 or 1-7. Leave it empty for all.</source>
            <translation>Zum Beispiel 1,2,4 oder 1-7. Leer lassen für alle.</translation>
        </message>
        <message>
            <source>Long prose (6 prompts)</source>
            <translation>Lange Prosa (6 Prompts)</translation>
        </message>
        <message>
            <source>One prompt</source>
            <translation>Ein Prompt</translation>
        </message>
        <message>
            <source>One prompt on each line, or JSON lines</source>
            <translation>Ein Prompt pro Zeile oder JSON-Zeilen</translation>
        </message>
        <message>
            <source>Prompt</source>
            <translation>Prompt</translation>
        </message>
        <message>
            <source>Prompts</source>
            <translation>Prompts</translation>
        </message>
        <message>
            <source>Prompts from a file</source>
            <translation>Prompts aus einer Datei</translation>
        </message>
        <message>
            <source>Run</source>
            <translation>Starten</translation>
        </message>
        <message>
            <source>Run the benchmark</source>
            <translation>Benchmark starten</translation>
        </message>
        <message>
            <source>Runs of each</source>
            <translation>Läufe je Prompt</translation>
        </message>
        <message>
            <source>Runs of each prompt</source>
            <translation>Läufe jedes Prompts</translation>
        </message>
        <message>
            <source>Runs with and without drafts take turns on the loaded pair; the text is the same, only the time differs. Chatting waits until it is done.</source>
            <translation>Läufe mit und ohne Entwürfe wechseln sich auf dem geladenen Paar ab; der Text ist derselbe, nur die Zeit verschieden. Chatten wartet so lange.</translation>
        </message>
        <message>
            <source>The engine chooses the length of every draft.</source>
            <translation>Die Engine wählt die Länge jedes Entwurfs.</translation>
        </message>
        <message>
            <source>The prompt to measure with</source>
            <translation>Der Prompt, mit dem gemessen wird</translation>
        </message>
        <message>
            <source>Tokens a run</source>
            <translation>Token pro Lauf</translation>
        </message>
        <message>
            <source>all</source>
            <translation>alle</translation>
        </message>
        <message>
            <source>automatic</source>
            <translation>automatisch</translation>
        </message>
    </context>
    <context>
        <name>ShortcutsDialog</name>
        <message>
            <source>Enter</source>
            <translation>Eingabe</translation>
        </message>
        <message>
            <source>Keyboard shortcuts</source>
            <translation>Tastenkürzel</translation>
        </message>
    </context>
    <context>
        <name>Sidebar</name>
        <message>
            <source>Benchmark</source>
            <translation>Benchmark</translation>
        </message>
        <message>
            <source>Benchmark (Ctrl+Shift+B)</source>
            <translation>Benchmark (Strg+Umschalt+B)</translation>
        </message>
        <message>
            <source>Clear</source>
            <translation>Leeren</translation>
        </message>
        <message>
            <source>Export all conversations…</source>
            <translation>Alle Unterhaltungen exportieren …</translation>
        </message>
        <message>
            <source>Hide the conversations (Ctrl+B)</source>
            <translation>Unterhaltungen ausblenden (Strg+B)</translation>
        </message>
        <message>
            <source>Import conversations…</source>
            <translation>Unterhaltungen importieren …</translation>
        </message>
        <message>
            <source>More for conversations</source>
            <translation>Mehr zu Unterhaltungen</translation>
        </message>
        <message>
            <source>New chat</source>
            <translation>Neuer Chat</translation>
        </message>
        <message>
            <source>New chat (Ctrl+N)</source>
            <translation>Neuer Chat (Strg+N)</translation>
        </message>
        <message>
            <source>No conversation is tagged “{tag}”.</source>
            <translation>Keine Unterhaltung hat das Schlagwort „{tag}“.</translation>
        </message>
        <message>
            <source>No title and no message holds “{text}”. Try fewer words, or the beginning of a word.</source>
            <translation>Kein Titel und keine Nachricht enthält „{text}“. Versuchen Sie weniger Wörter oder einen Wortanfang.</translation>
        </message>
        <message>
            <source>No title and no message tagged “{tag}” holds “{text}”.</source>
            <translation>Unter dem Schlagwort „{tag}“ enthält kein Titel und keine Nachricht „{text}“.</translation>
        </message>
        <message>
            <source>Search</source>
            <translation>Suchen</translation>
        </message>
        <message>
            <source>Search titles and messages</source>
            <translation>Titel und Nachrichten durchsuchen</translation>
        </message>
        <message>
            <source>Search titles and messages (Ctrl+Shift+F)</source>
            <translation>Titel und Nachrichten durchsuchen (Strg+Umschalt+F)</translation>
        </message>
        <message>
            <source>Settings</source>
            <translation>Einstellungen</translation>
        </message>
        <message>
            <source>Settings (Ctrl+,)</source>
            <translation>Einstellungen (Strg+,)</translation>
        </message>
        <message>
            <source>Your conversations will be listed here.</source>
            <translation>Hier erscheinen Ihre Unterhaltungen.</translation>
        </message>
    </context>
    <context>
        <name>SidebarBinder</name>
        <message>
            <source>Name of the tag</source>
            <translation>Name des Schlagworts</translation>
        </message>
        <message>
            <source>New tag</source>
            <translation>Neues Schlagwort</translation>
        </message>
        <message>
            <source>{title} (copy)</source>
            <translation>{title} (Kopie)</translation>
        </message>
    </context>
    <context>
        <name>SnippetsDialog</name>
        <message>
            <source>Cancel</source>
            <translation>Abbrechen</translation>
        </message>
        <message>
            <source>Give every text a name.</source>
            <translation>Geben Sie jedem Text einen Namen.</translation>
        </message>
        <message>
            <source>Name</source>
            <translation>Name</translation>
        </message>
        <message>
            <source>New</source>
            <translation>Neu</translation>
        </message>
        <message>
            <source>New text</source>
            <translation>Neuer Text</translation>
        </message>
        <message>
            <source>Remove</source>
            <translation>Entfernen</translation>
        </message>
        <message>
            <source>Save</source>
            <translation>Speichern</translation>
        </message>
        <message>
            <source>Saved texts</source>
            <translation>Textbausteine</translation>
        </message>
        <message>
            <source>Text</source>
            <translation>Text</translation>
        </message>
        <message>
            <source>Two texts have the same name.</source>
            <translation>Zwei Texte heißen gleich.</translation>
        </message>
        <message>
            <source>What is put into the message</source>
            <translation>Was in die Nachricht eingefügt wird</translation>
        </message>
    </context>
    <context>
        <name>StateChip</name>
        <message>
            <source>Loading {percent} %</source>
            <translation>Lädt {percent} %</translation>
        </message>
        <message>
            <source>No model</source>
            <translation>Kein Modell</translation>
        </message>
        <message>
            <source>Not available</source>
            <translation>Nicht verfügbar</translation>
        </message>
        <message>
            <source>Off</source>
            <translation>Aus</translation>
        </message>
        <message>
            <source>Speculating</source>
            <translation>Spekuliert</translation>
        </message>
        <message>
            <source>Speculation state: {text}</source>
            <translation>Zustand der Spekulation: {text}</translation>
        </message>
        <message>
            <source>Suspended</source>
            <translation>Ausgesetzt</translation>
        </message>
        <message>
            <source>Whether speculation is active, by which algorithm, and how long its drafts are.</source>
            <translation>Ob Spekulation aktiv ist, mit welchem Algorithmus, und wie lang ihre Entwürfe sind.</translation>
        </message>
        <message>
            <source>a draft setting is not possible</source>
            <translation>eine Entwurfseinstellung geht nicht</translation>
        </message>
        <message>
            <source>algorithm differs</source>
            <translation>anderer Algorithmus</translation>
        </message>
        <message>
            <source>auto {n}</source>
            <translation>auto {n}</translation>
        </message>
        <message>
            <source>batch too small</source>
            <translation>Batch zu klein</translation>
        </message>
        <message>
            <source>drafts cannot be taken back</source>
            <translation>Entwürfe nicht zurücknehmbar</translation>
        </message>
        <message>
            <source>heads not supported</source>
            <translation>Köpfe nicht unterstützt</translation>
        </message>
        <message>
            <source>library too old</source>
            <translation>Bibliothek zu alt</translation>
        </message>
        <message>
            <source>made for another target</source>
            <translation>für anderes Zielmodell</translation>
        </message>
        <message>
            <source>no confidence head</source>
            <translation>kein Konfidenzkopf</translation>
        </message>
        <message>
            <source>no drafter for this kind</source>
            <translation>kein Entwerfer dafür</translation>
        </message>
        <message>
            <source>no sidecar chosen</source>
            <translation>kein Sidecar gewählt</translation>
        </message>
        <message>
            <source>not a sidecar</source>
            <translation>Datei ist kein Sidecar</translation>
        </message>
        <message>
            <source>not enough memory</source>
            <translation>zu wenig Speicher</translation>
        </message>
        <message>
            <source>sidecar is cut short</source>
            <translation>Sidecar unvollständig</translation>
        </message>
        <message>
            <source>sidecar is damaged</source>
            <translation>Sidecar beschädigt</translation>
        </message>
        <message>
            <source>sidecar is missing</source>
            <translation>Sidecar fehlt</translation>
        </message>
        <message>
            <source>sidecar not usable</source>
            <translation>Sidecar unbrauchbar</translation>
        </message>
        <message>
            <source>target cannot be read</source>
            <translation>Zielmodell nicht lesbar</translation>
        </message>
        <message>
            <source>target has no heads</source>
            <translation>Zielmodell hat keine Köpfe</translation>
        </message>
        <message>
            <source>target is its own sidecar</source>
            <translation>Ziel als eigenes Sidecar</translation>
        </message>
        <message>
            <source>text does not pay</source>
            <translation>lohnt sich hier nicht</translation>
        </message>
        <message>
            <source>vocabulary differs</source>
            <translation>anderes Vokabular</translation>
        </message>
        <message>
            <source>vocabulary type differs</source>
            <translation>anderer Vokabulartyp</translation>
        </message>
        <message>
            <source>width differs</source>
            <translation>andere Breite</translation>
        </message>
    </context>
    <context>
        <name>SweepChart</name>
        <message>
            <source>Accepted drafts</source>
            <translation>Angenommene Entwürfe</translation>
        </message>
        <message>
            <source>Speedup over ordinary decoding</source>
            <translation>Beschleunigung gegenüber normalem Dekodieren</translation>
        </message>
    </context>
    <context>
        <name>SystemPromptPage</name>
        <message>
            <source>For example: Answer briefly and show your sources.</source>
            <translation>Zum Beispiel: Antworte kurz und nenne deine Quellen.</translation>
        </message>
        <message>
            <source>System prompt</source>
            <translation>System-Prompt</translation>
        </message>
        <message>
            <source>What the model is told before every conversation. Leave it empty to tell it nothing.</source>
            <translation>Was dem Modell vor jeder Unterhaltung gesagt wird. Leer lassen, um nichts zu sagen.</translation>
        </message>
    </context>
    <context>
        <name>TableView</name>
        <message>
            <source>Show all {n} rows</source>
            <translation>Alle {n} Zeilen zeigen</translation>
        </message>
        <message>
            <source>Table</source>
            <translation>Tabelle</translation>
        </message>
    </context>
    <context>
        <name>TagFilter</name>
        <message>
            <source>All tags</source>
            <translation>Alle Schlagwörter</translation>
        </message>
        <message>
            <source>New name</source>
            <translation>Neuer Name</translation>
        </message>
        <message>
            <source>Remove “{tag}” everywhere</source>
            <translation>„{tag}“ überall entfernen</translation>
        </message>
        <message>
            <source>Rename tag</source>
            <translation>Schlagwort umbenennen</translation>
        </message>
        <message>
            <source>Rename “{tag}”…</source>
            <translation>„{tag}“ umbenennen …</translation>
        </message>
        <message>
            <source>Show conversations by tag</source>
            <translation>Unterhaltungen nach Schlagwort zeigen</translation>
        </message>
        <message>
            <source>Tag: {tag}</source>
            <translation>Schlagwort: {tag}</translation>
        </message>
        <message>
            <source>{tag} ({count})</source>
            <translation>{tag} ({count})</translation>
        </message>
    </context>
    <context>
        <name>TemplatePage</name>
        <message>
            <source>A Jinja template.</source>
            <translation>Eine Jinja-Vorlage.</translation>
        </message>
        <message>
            <source>A setting of this template, which has a default of its own.</source>
            <translation>Eine Einstellung dieser Vorlage, die selbst eine Vorgabe hat.</translation>
        </message>
        <message>
            <source>Another one, for a file with none or a wrong one.</source>
            <translation>Eine andere, wenn die Datei keine oder eine falsche enthält.</translation>
        </message>
        <message>
            <source>How a conversation becomes the prompt. A model answers well to the form it was trained on, which its file usually holds. Changes take effect with the next message.</source>
            <translation>Wie aus einer Unterhaltung der Prompt wird. Ein Modell antwortet gut auf die Form, mit der es trainiert wurde; meist steht sie in seiner Datei. Änderungen wirken ab der nächsten Nachricht.</translation>
        </message>
        <message>
            <source>Show the prompt…</source>
            <translation>Prompt zeigen …</translation>
        </message>
        <message>
            <source>Shown as soon as a model is loaded.</source>
            <translation>Erscheint, sobald ein Modell geladen ist.</translation>
        </message>
        <message>
            <source>Source of the template</source>
            <translation>Quelltext der Vorlage</translation>
        </message>
        <message>
            <source>Template</source>
            <translation>Vorlage</translation>
        </message>
        <message>
            <source>This template cannot be used.</source>
            <translation>Diese Vorlage ist nicht verwendbar.</translation>
        </message>
        <message>
            <source>default</source>
            <translation>Vorgabe</translation>
        </message>
        <message>
            <source>edited</source>
            <translation>bearbeitet</translation>
        </message>
        <message>
            <source>off</source>
            <translation>aus</translation>
        </message>
        <message>
            <source>on</source>
            <translation>ein</translation>
        </message>
        <message>
            <source>the model's own</source>
            <translation>die des Modells</translation>
        </message>
    </context>
    <context>
        <name>Toast</name>
        <message>
            <source>Dismiss</source>
            <translation>Schließen</translation>
        </message>
        <message>
            <source>Undo</source>
            <translation>Rückgängig</translation>
        </message>
    </context>
    <context>
        <name>UserRow</name>
        <message>
            <source>Edit and send again</source>
            <translation>Bearbeiten und neu senden</translation>
        </message>
        <message>
            <source>Show all {n} characters</source>
            <translation>Alle {n} Zeichen zeigen</translation>
        </message>
        <message>
            <source>Show less</source>
            <translation>Weniger zeigen</translation>
        </message>
        <message>
            <source>You wrote</source>
            <translation>Sie schrieben</translation>
        </message>
        <message>
            <source>Your message</source>
            <translation>Ihre Nachricht</translation>
        </message>
    </context>
    <context>
        <name>WindowCentre</name>
        <message>
            <source>Show the conversations (Ctrl+B)</source>
            <translation>Unterhaltungen einblenden (Strg+B)</translation>
        </message>
        <message>
            <source>Show the live panel (Ctrl+J)</source>
            <translation>Live-Anzeige einblenden (Strg+J)</translation>
        </message>
    </context>
    <context>
        <name>_List</name>
        <message>
            <source>Date</source>
            <translation>Datum</translation>
        </message>
        <message>
            <source>Prompts</source>
            <translation>Prompts</translation>
        </message>
        <message>
            <source>Result</source>
            <translation>Ergebnis</translation>
        </message>
        <message>
            <source>Version</source>
            <translation>Version</translation>
        </message>
    </context>
</TS>
