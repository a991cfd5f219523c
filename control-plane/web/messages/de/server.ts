// German for what the studio writes: failures, settings, checks and sentences.
import type { ServerTexts } from '../server.ts'

export const server: ServerTexts = {
  failures: {
    WORKER_AT_CAPACITY: ['Der Rechner ist ausgelastet.', 'Die Aufgabe geht an den nächsten freien.'],
    WORKER_UNREACHABLE: [
      ({ machine }) => (machine ? `Der Rechner ${machine} hat nicht geantwortet.` : 'Der Rechner hat nicht geantwortet.'),
      'Prüfen Sie, ob er eingeschaltet ist und sein Agent läuft.',
    ],
    PINNED_WORKER_UNREACHABLE: [
      'Der gewählte Rechner lässt sich zurzeit nicht verwenden.',
      'Schalten Sie ihn ein, installieren Sie dort die Engine oder wählen Sie diesen Rechner oder „Automatisch“.',
    ],
    MODEL_NOT_INSTALLED: [
      ({ engine }) => (engine ? `Die Engine ${engine} ist nicht installiert.` : 'Die Engine ist nicht installiert.'),
      'Installieren Sie sie auf der Seite „Modelle“.',
    ],
    FILES_NOT_PRIVATE: [
      'Andere Benutzerkonten des Computers könnten das Programm dieser Engine ändern, daher wird es nicht verwendet.',
      'Korrigieren Sie Besitz und Zugriffsrechte der Dateien.',
    ],
    MODEL_NOT_DOWNLOADED: ['Ein Modell fehlt.', 'Installieren Sie es auf der Seite „Modelle“.'],
    MODEL_DIGEST_MISMATCH: [
      'Der Rechner hat eine andere Version des Modells.',
      'Installieren Sie dort dieselbe Version oder wählen Sie einen anderen Rechner.',
    ],
    INSUFFICIENT_MEMORY: ['Das Modell passt nicht in den Speicher.', 'Wählen Sie ein kleineres oder einen anderen Rechner.'],
    OPERATION_UNSUPPORTED: ['Die Engine kann das nicht.', 'Wählen Sie eine andere Engine.'],
    NO_CAPABLE_WORKER: ['Kein zugelassener Rechner kann das zurzeit.', 'Die Seite „Rechner“ zeigt den Status der einzelnen Rechner.'],
    INPUT_TRANSFER_UNSUPPORTED: ['Das Programm auf dem Rechner ist zu alt, um Dateien zu empfangen.', 'Aktualisieren Sie es.'],
    CONSENT_MISSING: ['Der Rechner ist nicht freigegeben.', 'Geben Sie ihn auf der Seite „Rechner“ frei.'],
    ACCEPT_TIMEOUT: ['Der Rechner hat nicht rechtzeitig geantwortet.', 'Die Aufgabe geht an einen anderen.'],
    MODEL_LOAD_TIMEOUT: ['Das Laden des Modells hat zu lange gedauert.', 'Versuchen Sie es erneut, sobald es geladen ist.'],
    EXECUTION_TIMEOUT: ['Das hat länger gedauert als erlaubt.', 'Verwenden Sie weniger Text auf einmal.'],
    PROGRESS_LEASE_EXPIRED: ['Der Rechner meldet keinen Fortschritt mehr.', 'Sehen Sie in sein Protokoll.'],
    RESULT_DELIVERY_TIMEOUT: ['Das Ergebnis kam nicht rechtzeitig an.', 'Prüfen Sie das Netzwerk zum Rechner.'],
    INPUT_FETCH_TIMEOUT: ['Die Eingabe hat den Rechner nicht rechtzeitig erreicht.', 'Prüfen Sie das Netzwerk zum Rechner.'],
    TASK_DEADLINE_EXCEEDED: ['Die erlaubte Zeit ist abgelaufen.', 'Erlauben Sie mehr Zeit.'],
    INPUT_FETCH_FAILED: ['Die Eingabe hat den Rechner nicht erreicht.', 'Prüfen Sie das Netzwerk zum Rechner.'],
    INPUT_CORRUPT: ['Die Eingabe kam beschädigt an.', 'Senden Sie sie erneut.'],
    INVALID_RESULT: ['Der Rechner hat ein ungültiges Ergebnis gesendet.', 'Die Aufgabe geht an einen anderen.'],
    RESULT_UPLOAD_FAILED: ['Das Ergebnis ist nicht angekommen.', 'Prüfen Sie das Netzwerk zum Rechner.'],
    WORKER_FAILED: ['Die Engine ist auf diesem Rechner gescheitert.', 'Sehen Sie in sein Protokoll.'],
    WORKER_REJECTED: ['Der Rechner nimmt das nicht an, und es ließ sich kein anderer fragen.', 'Wählen Sie einen anderen Rechner.'],
    ENGINE_CRASHED: ['Die Engine wurde unerwartet beendet.', 'Für die nächste Aufgabe wird sie neu gestartet.'],
    ENGINE_HUNG: ['Die Engine hat nicht mehr reagiert und wurde beendet.', 'Für die nächste Aufgabe wird sie neu gestartet.'],
    NON_FINITE_OUTPUT: ['Die Engine hat keinen brauchbaren Ton erzeugt.', 'Versuchen Sie einen anderen Seed.'],
    WORKER_DISCONNECTED: ['Die Verbindung zum Rechner ist abgebrochen.', 'Prüfen Sie sein Netzwerk.'],
    WORKER_DRAINING: ['Der Rechner wird gerade beendet.', 'Die Aufgabe geht an einen anderen.'],
    SERVER_RESTART: ['Das Studio wurde neu gestartet.', 'Versuchen Sie es erneut, falls es nicht von selbst weitergeht.'],
    OFFSET_MISMATCH: ['Ein Teil des Ergebnisses fehlte.', 'Die Aufgabe wird erneut versucht.'],
    SIZE_MISMATCH: ['Das Ergebnis hat nicht die angekündigte Größe.', 'Die Aufgabe wird erneut versucht.'],
    DIGEST_MISMATCH: ['Das Ergebnis wurde unterwegs beschädigt.', 'Die Aufgabe wird erneut versucht.'],
    UPLOAD_INCOMPLETE: ['Das Ergebnis kam unvollständig an.', 'Die Aufgabe wird erneut versucht.'],
    UNKNOWN: ['Ein unerwarteter Fehler ist aufgetreten.', 'Einzelheiten stehen im Protokoll.'],
    INTERNAL: ['Ein Fehler im Studio hat das verhindert.', 'Melden Sie ihn mit dem Protokoll des Studios.'],
    JOB_SET_ASIDE: ['Der Auftrag wurde zurückgestellt; seine Eingabe bleibt erhalten.', 'Versuchen Sie ihn nach einem Update erneut.'],
    RECOGNITION_FAILED: ['Die Aufnahme wurde nicht transkribiert.', ''],
    INVALID_TASK_PARAMS: ['Etwas an der Anfrage ist ungültig.', 'Korrigieren Sie, was in den Details genannt ist.'],
    MODEL_REF_REJECTED: [
      'Das Modell kann nicht von diesem Server heruntergeladen werden.',
      'Wählen Sie in den Einstellungen einen anderen Server oder ein anderes Modell.',
    ],
    RESULT_TOO_LARGE: ['Das Ergebnis ist zu groß.', 'Verwenden Sie weniger auf einmal.'],
    ARTIFACT_TOO_LARGE: ['Eine Datei ist größer als 1\u00a0GiB.', 'Verwenden Sie weniger auf einmal.'],
    INPUT_UNAVAILABLE: ['Die Eingabe wurde gelöscht.', 'Senden Sie sie erneut.'],
    CANCELLED: ['Dies wurde abgebrochen.', ''],
    WORKER_REMOVED: ['Der Rechner wurde entfernt.', 'Die Aufgabe geht an einen anderen.'],
    PINNED_WORKER_EXHAUSTED: ['Der gewählte Rechner ist mehrmals gescheitert.', 'Wählen Sie diesen Rechner oder einen anderen.'],
    SESSION_EXPIRED: ['Die Verbindung ist abgelaufen.', 'Sie wird von selbst neu aufgebaut.'],
    STALE_EPOCH: ['Ein neuerer Versuch läuft.', 'Warten Sie auf sein Ergebnis.'],
    STALE_ATTEMPT: ['Ein neuerer Versuch läuft.', 'Warten Sie auf sein Ergebnis.'],
    UPGRADE_REQUIRED: ['Die Versionen der beiden Programme sind zu verschieden.', 'Aktualisieren Sie das ältere.'],
    WORKER_REVOKED: ['Dieser Rechner wurde aus dem Studio entfernt.', 'Treten Sie mit einem neuen Code wieder bei.'],
    AUTH_FAILED: ['Die Gegenseite konnte sich nicht ausweisen.', 'Treten Sie mit einem neuen Code wieder bei.'],
    INVALID_REQUEST: ['Eine Eingabe ist ungültig.', 'Korrigieren Sie, was in den Details genannt ist.'],
    BAD_REQUEST: ['Das Studio kann das nicht annehmen.', ''],
    NOT_FOUND: ['Das gibt es nicht oder nicht mehr.', ''],
    MODEL_NOT_FOUND: ['Eine Engine mit diesem Namen gibt es nicht.', 'Wählen Sie eine andere.'],
    METHOD_NOT_ALLOWED: ['Diese Seite und das Studio passen nicht zusammen.', 'Laden Sie die Seite neu.'],
    FORBIDDEN: ['Das ist nicht erlaubt.', ''],
    UNAUTHORIZED: ['Sie sind nicht angemeldet.', 'Melden Sie sich erneut an.'],
    OTHER_LOCAL_USER: [
      'Das Studio läuft unter einem anderen Benutzerkonto dieses Computers.',
      'Melden Sie sich mit dem Konto an, unter dem das Studio läuft.',
    ],
    PIN_REQUIRED: ['Die PIN fehlt oder ist falsch.', 'Das Studio zeigt sie auf seinem eigenen Rechner an.'],
    TOO_MANY_WRONG_PINS: ['Es gab zu viele falsche PINs.', 'Prüfen Sie die PIN am Rechner des Studios.'],
    TOO_MANY_WRONG_KEYS: ['Es gab zu viele falsche Schlüssel.', 'Prüfen Sie den Schlüssel. Der richtige funktioniert sofort.'],
    CONFLICT: ['Das passt nicht zum aktuellen Stand.', ''],
    IDEMPOTENCY_CONFLICT: ['Dies wurde schon mit anderem Inhalt gesendet.', 'Versuchen Sie es erneut.'],
    BODY_TOO_LARGE: [
      ({ limit }) => (limit ? `Das ist zu groß (die Grenze ist ${limit}).` : 'Das ist zu groß.'),
      'Senden Sie eine kleinere Datei oder weniger Text.',
    ],
    HEADERS_TOO_LARGE: ['Der Browser sendet zu viele Cookies.', 'Löschen Sie im Browser die Cookies dieser Adresse.'],
    REQUEST_TIMEOUT: ['Dies kam zu langsam an.', 'Prüfen Sie das Netzwerk und versuchen Sie es erneut.'],
    QUEUE_FULL: [
      ({ seconds }) =>
        seconds ? `Die Warteschlange ist voll. In ${seconds}\u00a0s ist ein neuer Versuch möglich.` : 'Die Warteschlange ist voll.',
      'Versuchen Sie es später erneut.',
    ],
    STORAGE_FULL: ['Die Festplatte des Studios ist voll oder nicht beschreibbar.', 'Schaffen Sie Speicherplatz.'],
    LOG_UNREADABLE: ['Das Protokoll kann nicht gelesen werden.', 'Prüfen Sie die Zugriffsrechte des Ordners „logs“ des Studios.'],
    VIDEO_FETCH_FAILED: [
      'Das Video dieser Seite konnte nicht gelesen werden.',
      'Aktualisieren Sie die Medienwerkzeuge in den Einstellungen oder laden Sie eine Aufnahme hoch.',
    ],
    HOST_NOT_FOUND: [
      ({ host }) => (host ? `Die Adresse ${host} wurde nicht gefunden.` : 'Die Adresse wurde nicht gefunden.'),
      'Prüfen Sie die Adresse und die Internetverbindung des Studios, oder laden Sie die Datei hoch.',
    ],
    DOWNLOAD_REFUSED: ['Ein anderer Server hat etwas gesendet, das nicht verwendet wird.', 'Wählen Sie etwas anderes.'],
    MEDIA_TYPE_UNSUPPORTED: ['Dateien dieser Art werden nicht angenommen.', 'Wählen Sie eine andere Datei.'],
    REMOTE_SERVICE_FAILED: [
      'Ein Dienst im Netzwerk hat nicht geantwortet oder dies abgelehnt.',
      'Prüfen Sie seine Adresse und seinen Schlüssel in den Einstellungen.',
    ],
    LANGUAGE_MODEL_MISSING: [
      'Kein Sprachmodell ist eingerichtet.',
      'Wählen Sie in den Einstellungen einen Anbieter und schalten Sie den Einsatz ein, der es braucht.',
    ],
    PROGRAM_MISSING: [
      ({ program }) =>
        program ? `Das Programm ${program} fehlt auf dem Rechner des Studios.` : 'Auf dem Rechner des Studios fehlt ein Programm.',
      'Installieren Sie es.',
    ],
    PROGRAM_FAILED: [
      ({ program }) => (program ? `Das Programm ${program} lief nicht wie vorgesehen.` : 'Ein Programm lief nicht wie vorgesehen.'),
      'Der Grund steht im Protokoll des Studios.',
    ],
    PROGRAM_KILLED: [
      ({ program }) =>
        `${program ? `Das Programm ${program}` : 'Ein Programm'} wurde von außen beendet, oft aus Mangel an Arbeitsspeicher.`,
      'Geben Sie Arbeitsspeicher frei und versuchen Sie es erneut.',
    ],
    NOT_READY: ['Das Studio startet oder stoppt gerade.', 'Versuchen Sie es gleich noch einmal.'],
    VOICE_UNAVAILABLE: ['Die Stimme ist nicht verfügbar.', ''],
  },
  settings: {
    'perf.torch_compile_disabled': ['Graphen nicht kompilieren', 'Für Engines in Python unter Windows, deren erster Satz Minuten braucht.'],
    'compute.device': ['Grafikkarte', '„Automatisch“ verwendet das schnellste Gerät dieses Rechners.'],
    'history.retention': [
      'Aufbewahrte Takes',
      '0 bewahrt alle auf. Die ältesten werden entfernt, wenn ein neuer entsteht; Takes mit Stern nie.',
    ],
    'dictation.refinement.auto': ['Automatisch überarbeiten', 'Texte gehen an das Sprachmodell, sobald ein Diktat endet.'],
    'dictation.refinement.smart_cleanup': ['Bereinigen', 'Entfernt Füllwörter und korrigiert die Zeichensetzung.'],
    'dictation.refinement.self_correction': ['Korrekturen anwenden', 'Aus „Montag, nein, Dienstag“ wird „Dienstag“.'],
    'dictation.refinement.preserve_technical': ['Fachbegriffe behalten', 'Namen, Befehle und Code bleiben wie gesprochen.'],
    'dictation.refine_seconds': ['Zeit für die Überarbeitung', 'In Sekunden. Ein Text, der länger braucht, bleibt unverändert.'],
    'voices.most_gigabytes': ['Stimmen', 'Gigabyte für Aufnahmen und Bilder. Darüber werden neue abgelehnt.'],
    'voices.hosted_url': ['Adresse der gehosteten Bibliothek', 'Leer: keine. Ein neuer Server entfernt den Schlüssel.'],
    'voices.hosted_key': ['Schlüssel der gehosteten Bibliothek', 'Er wird nur an diese Bibliothek gesendet.'],
    'gallery.most_gigabytes': ['Galerie', 'Gigabyte für Clips. Darüber werden neue Clips abgelehnt.'],
    'dictation.enabled': ['Diktat', 'Text vom Mikrofon ein- oder ausschalten.'],
    'dictation.mode': ['Diktiertaste', 'Zum Beginnen und Beenden je einmal drücken oder gedrückt halten.'],
    'archetypes.download_previews': [
      'Hörproben herunterladen',
      'Proben der angebotenen Stimmen kommen aus deren Veröffentlichung. Sonst werden sie hier erzeugt.',
    ],
    'longform.cache_gigabytes': [
      'Zwischenspeicher für Hörbücher',
      'Gigabyte für fertige Sätze. Leer: 20, oder ein Fünftel des freien Platzes, falls das weniger ist.',
    ],
    'dubbing.store_gigabytes': [
      'Synchronfassungen',
      'Gigabyte. Darüber werden Dateien entfernt, die sich neu erzeugen lassen, die ältesten zuerst.',
    ],
    'dubbing.ingest_local_network': [
      'Filme aus dem lokalen Netzwerk',
      'Erlaubt für Filme auch Adressen Ihres eigenen Netzwerks, nicht nur das Internet.',
    ],
    'mcp.enabled': ['MCP-Server', 'Lässt Assistenten auf diesem Rechner die Stimmen dieses Studios verwenden.'],
    pronunciation_enabled: ['Wörterbuch verwenden', 'Gilt für Sprachausgabe, Hörbücher und Synchronfassungen.'],
    'recognition.expected_languages': [
      'Erwartete Sprachen',
      'Kürzel wie en, fr. Aufnahmen ohne gewählte Sprache sind in einer davon. Leer: jede Sprache.',
    ],
    'watermark.invisible': [
      'Unhörbare Kennzeichnung',
      'Sprache aus diesem Studio bleibt als synthetisch erkennbar, auch nach dem Umwandeln. Das Ausschalten wird aufgezeichnet.',
    ],
    'watermark.visible_audio': ['Gesprochener Hinweis', 'Gespeichert für Programme, die einen hinzufügen. Das Studio fügt keinen hinzu.'],
    'watermark.visible_video': ['Hinweis in Videos', 'Synchronisierte Videos nennen ihre Stimmen synthetisch.'],
    'env.HTTP_PROXY': [
      'Proxy für http',
      'http://host:port. Studio und Downloads verwenden ihn sofort. Wird verschlüsselt gespeichert, weil er ein Passwort enthalten kann.',
    ],
    'env.HTTPS_PROXY': [
      'Proxy für https',
      'http://host:port. Studio und Downloads verwenden ihn sofort. Wird verschlüsselt gespeichert, weil er ein Passwort enthalten kann.',
    ],
    'env.ALL_PROXY': [
      'Proxy für alles andere',
      'http://host:port. Studio und Downloads verwenden ihn sofort. Wird verschlüsselt gespeichert, weil er ein Passwort enthalten kann.',
    ],
    'env.GOOGLE_TRANSLATE_API_KEY': [
      'Schlüssel für Google Translate',
      'Für Übersetzungen durch diesen Dienst. Wird verschlüsselt gespeichert und nie angezeigt.',
    ],
    'env.DEEPL_API_KEY': [
      'Schlüssel für DeepL',
      'Für Übersetzungen durch diesen Dienst. Wird verschlüsselt gespeichert und nie angezeigt.',
    ],
    'env.MICROSOFT_API_KEY': [
      'Schlüssel für Microsoft Translator',
      'Für Übersetzungen durch diesen Dienst. Wird verschlüsselt gespeichert und nie angezeigt.',
    ],
    'env.MICROSOFT_REGION': ['Region für Microsoft Translator', 'Die Region des Schlüssels, zum Beispiel westeurope.'],
    'env.MYMEMORY_EMAIL': ['E-Mail-Adresse für MyMemory', 'Erhöht die Tagesgrenze dieses Dienstes, der die Adresse erhält.'],
    'env.VOICESTUDIO_PORT': ['Port des Studios', 'Die Nummer eines Ports, den kein anderes Programm verwendet.'],
    'env.VOICESTUDIO_SHARE_PORT': ['Port für andere Geräte', 'Die Nummer eines Ports, den kein anderes Programm verwendet.'],
    'llm.skill.dub_translation.enabled': ['Synchronfassungen übersetzen', 'Die Zeilen eines Films, mit den umgebenden Zeilen als Kontext.'],
    'llm.skill.cinematic_translation.enabled': [
      'Übersetzungen sprechbar machen',
      'Ein zweiter Durchgang für Synchronfassungen mit der Qualität Cinematic.',
    ],
    'llm.skill.slot_fitting.enabled': [
      'Zu lange Zeilen kürzen',
      'Zeilen, die zu schnell gesprochen werden müssten, werden kürzer gefasst.',
    ],
    'llm.skill.glossary_extract.enabled': ['Glossar vorschlagen', 'Namen und Begriffe eines Films und ihre Übersetzung.'],
    'llm.skill.direction_parse.enabled': ['Regieanweisungen verstehen', 'Aus „Flüsternd, dann lauter“ werden Einstellungen der Stimme.'],
    'llm.skill.dictation_refinement.enabled': ['Diktierten Text überarbeiten', 'Wie unter „Diktat“ eingestellt.'],
  },
  checks: {
    deep_synth: 'Gründlicher Sprachtest (ein echter Testsatz wird gesprochen)',
    network: 'Modellserver',
    device: 'Gerät',
    ffmpeg: 'ffmpeg',
    hf_token: 'Token für den Model Hub',
    data_dir: 'Datenordner',
    engines: 'Engines',
    disk: 'Freier Speicherplatz',
    ram: 'Arbeitsspeicher',
    gpu_routing: 'Gerät der Engine',
    os: 'Betriebssystem',
    python: 'Python',
    hf_cache_writable: 'Modellordner',
    gpu: 'Grafikkarte',
  },
  sentences: {
    'No connected machine has the model of {engine} that this dub began with. It continues when one does.':
      'Kein verbundener Rechner hat das Modell von {engine}, mit dem diese Synchronfassung begonnen wurde. Sie wird fortgesetzt, sobald einer es hat.',
    'Using the voice {voice}, because the model of the Voice Studio engine is not installed.':
      'Verwendet wird die Stimme {voice}, weil das Modell der Engine „Voice Studio“ nicht installiert ist.',
    'Using {engine}, because the model of {wanted} is not installed.':
      'Verwendet wird {engine}, weil das Modell von {wanted} nicht installiert ist.',
    'Using {engine}, because no model of {wanted} for {language} is installed.':
      'Verwendet wird {engine}, weil kein Modell von {wanted} für {language} installiert ist.',
    'None that the engines of this machine can use.': 'Keine, die die Engines dieses Rechners nutzen können.',
    'Small models run fast without one, large models run slowly. You can borrow a machine that has one.':
      'Kleine Modelle laufen auch ohne Grafikkarte schnell, große langsam. Sie können einen Rechner mit Grafikkarte leihen.',
    'This machine has a GPU, so large models run fast enough.': 'Dieser Rechner hat eine GPU, große Modelle laufen daher schnell genug.',
    'These models run fast on a CPU.': 'Diese Modelle laufen auf einer CPU schnell.',
    '{engine} runs on {device}.': '{engine} läuft auf {device}.',
    'The local agent is not connected yet.': 'Der lokale Agent ist noch nicht verbunden.',
    'The free space is unknown.': 'Der freie Speicherplatz ist unbekannt.',
    '{size} free': '{size} frei',
    'The studio was not tested on this system.': 'Das Studio wurde auf diesem System nicht getestet.',
    '{server} answers.': '{server} antwortet.',
    '{server} does not answer.': '{server} antwortet nicht.',
    'Installed models work without it. To install others, connect this machine to the internet or choose a mirror in the settings.':
      'Installierte Modelle funktionieren auch ohne den Server. Um weitere zu installieren, verbinden Sie diesen Rechner mit dem Internet oder wählen Sie in den Einstellungen einen Spiegelserver.',
    'Installed models work without it. Check the connection, the proxy or the mirror in the settings.':
      'Installierte Modelle funktionieren auch ohne den Server. Prüfen Sie die Verbindung oder in den Einstellungen den Proxy und den Spiegelserver.',
    'Set.': 'Gesetzt.',
    'Not set.': 'Nicht gesetzt.',
    'Only models that require an account need it. Add it in the settings.':
      'Nur für Modelle nötig, die ein Konto erfordern. Das Token lässt sich in den Einstellungen hinzufügen.',
    'Free some space. Models and recordings need more than 5 GB.':
      'Schaffen Sie Speicherplatz. Modelle und Aufnahmen brauchen mehr als 5\u00a0GB.',
    'Free some space, or correct the owner and the access rights of the folder.':
      'Schaffen Sie Speicherplatz oder korrigieren Sie Besitz und Zugriffsrechte des Ordners.',
    'Close other programs, unload models, or choose a smaller model.':
      'Schließen Sie andere Programme, entladen Sie Modelle oder wählen Sie ein kleineres Modell.',
    'Choose another engine or machine, or check the driver.':
      'Wählen Sie eine andere Engine oder einen anderen Rechner, oder prüfen Sie den Treiber.',
    'The engines of this machine are starting. Try again in a moment.':
      'Die Engines dieses Rechners starten gerade. Versuchen Sie es gleich noch einmal.',
    'A model is being loaded or checked at the moment.': 'Zurzeit wird ein Modell geladen oder geprüft.',
    'The file is a manuscript: its headings and tags were kept as they are.':
      'Die Datei ist ein Manuskript: Überschriften und Auszeichnungen bleiben, wie sie sind.',
    'This chapter is switched off.': 'Dieses Kapitel ist ausgeschaltet.',
    'A title without text is no chapter.': 'Ein Titel ohne Text ist kein Kapitel.',
    'This voice does not follow instructions or descriptions.': 'Diese Stimme folgt weder Anweisungen noch Beschreibungen.',
    'The reference recording was used instead of the named voice.': 'Statt der genannten Stimme wurde die Referenzaufnahme verwendet.',
    'The reference is longer than 20 seconds; 3 to 10 seconds are faster and sound better.':
      'Die Referenz ist länger als 20 Sekunden; 3 bis 10 Sekunden sind schneller und klingen besser.',
    'The reference has no transcript. A transcript (ref_text) makes the voice more similar.':
      'Die Referenz hat kein Transkript. Mit Transkript (ref_text) wird die Stimme ähnlicher.',
    'The text cannot be spoken in the requested duration; the nearest possible duration was used.':
      'Der Text lässt sich nicht in der gewünschten Dauer sprechen; die nächstmögliche wurde verwendet.',
    'This model does not compute the times of words.': 'Dieses Modell berechnet keine Wortzeiten.',
    'No speech was found in the recording.': 'In der Aufnahme wurde keine Sprache gefunden.',
    'The weights of lower precision failed; full precision was used.':
      'Die Gewichte mit geringerer Genauigkeit sind gescheitert; die volle Genauigkeit wurde verwendet.',
    'This model produces stereo; both channels were mixed to mono.': 'Dieses Modell erzeugt Stereo; beide Kanäle wurden zu Mono gemischt.',
  },
}
