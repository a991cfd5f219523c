// Italian for what the studio writes: failures, settings, checks and sentences.
import type { ServerTexts } from '../server.ts'

const ANOTHER_MACHINE = 'L’attività passa a un’altra macchina.'
const TRIED_AGAIN = 'L’attività viene ritentata.'
const CHECK_NETWORK = 'Controlla la rete verso la macchina.'
const STARTED_AGAIN = 'Viene riavviato per la prossima attività.'
const SEND_AGAIN = 'Invialo di nuovo.'
const LESS = 'Elabora meno materiale alla volta.'
const PROXY = 'http://host:porta. Lo studio e i suoi download lo usano subito. Viene conservato cifrato, perché può contenere una password.'
const SERVICE_KEY = 'Per tradurre con questo servizio. Viene conservata cifrata e mai mostrata.'
const FREE_PORT = 'Il numero di una porta che nessun altro programma usa.'

export const server: ServerTexts = {
  failures: {
    WORKER_AT_CAPACITY: ['La macchina è occupata.', 'L’attività passa alla prossima libera.'],
    WORKER_UNREACHABLE: [
      ({ machine }) => (machine ? `La macchina ${machine} non ha risposto.` : 'La macchina non ha risposto.'),
      'Controlla che sia accesa e che il suo agente sia in esecuzione.',
    ],
    PINNED_WORKER_UNREACHABLE: [
      'Al momento la macchina scelta non si può usare.',
      'Accendila, installa lì il motore, o scegli questa macchina o Automatico.',
    ],
    MODEL_NOT_INSTALLED: [
      ({ engine }) => (engine ? `Il motore ${engine} non è installato.` : 'Il motore non è installato.'),
      'Installalo nella pagina Modelli.',
    ],
    FILES_NOT_PRIVATE: [
      'Altri utenti del computer potrebbero modificare il programma di questo motore, quindi non viene usato.',
      'Correggi il proprietario e i permessi dei file.',
    ],
    MODEL_NOT_DOWNLOADED: ['Manca un modello.', 'Installalo nella pagina Modelli.'],
    MODEL_DIGEST_MISMATCH: ['La macchina ha un’altra versione del modello.', 'Installa lì la stessa versione, o scegli un’altra macchina.'],
    INSUFFICIENT_MEMORY: ['Il modello non entra in memoria.', 'Scegline uno più piccolo o un’altra macchina.'],
    OPERATION_UNSUPPORTED: ['Il motore non può farlo.', 'Scegli un altro motore.'],
    NO_CAPABLE_WORKER: ['Al momento nessuna macchina utilizzabile può farlo.', 'La pagina Macchine mostra lo stato di ciascuna.'],
    INPUT_TRANSFER_UNSUPPORTED: ['Il programma sulla macchina è troppo vecchio per ricevere file.', 'Aggiornalo.'],
    CONSENT_MISSING: ['La macchina non è approvata.', 'Approvala nella pagina Macchine.'],
    ACCEPT_TIMEOUT: ['La macchina non ha risposto in tempo.', ANOTHER_MACHINE],
    MODEL_LOAD_TIMEOUT: ['Il caricamento del modello ha richiesto troppo tempo.', 'Riprova quando è caricato.'],
    EXECUTION_TIMEOUT: ['Ha richiesto più tempo del consentito.', 'Usa meno testo alla volta.'],
    PROGRESS_LEASE_EXPIRED: ['La macchina ha smesso di segnalare progressi.', 'Controlla il suo log.'],
    RESULT_DELIVERY_TIMEOUT: ['Il risultato non è arrivato in tempo.', CHECK_NETWORK],
    INPUT_FETCH_TIMEOUT: ['I dati non hanno raggiunto la macchina in tempo.', CHECK_NETWORK],
    TASK_DEADLINE_EXCEEDED: ['Il tempo consentito è trascorso.', 'Concedi più tempo.'],
    INPUT_FETCH_FAILED: ['I dati non hanno raggiunto la macchina.', CHECK_NETWORK],
    INPUT_CORRUPT: ['Il file inviato è arrivato danneggiato.', SEND_AGAIN],
    INVALID_RESULT: ['La macchina ha inviato un risultato non valido.', ANOTHER_MACHINE],
    RESULT_UPLOAD_FAILED: ['Il risultato non è arrivato.', CHECK_NETWORK],
    WORKER_FAILED: ['Il motore ha avuto un errore su quella macchina.', 'Consulta il suo log.'],
    WORKER_REJECTED: ['La macchina non lo accetta, e non ce n’era un’altra disponibile.', 'Scegli un’altra macchina.'],
    ENGINE_CRASHED: ['Il motore si è chiuso in modo imprevisto.', STARTED_AGAIN],
    ENGINE_HUNG: ['Il motore non rispondeva più ed è stato chiuso.', STARTED_AGAIN],
    NON_FINITE_OUTPUT: ['Il motore non ha prodotto audio utilizzabile.', 'Prova un altro seed.'],
    WORKER_DISCONNECTED: ['La connessione alla macchina si è interrotta.', 'Controlla la sua rete.'],
    WORKER_DRAINING: ['La macchina si sta fermando.', ANOTHER_MACHINE],
    SERVER_RESTART: ['Lo studio è stato riavviato.', 'Riprova se non continua da solo.'],
    OFFSET_MISMATCH: ['Mancava una parte del risultato.', TRIED_AGAIN],
    SIZE_MISMATCH: ['Il risultato non ha la dimensione annunciata.', TRIED_AGAIN],
    DIGEST_MISMATCH: ['Il risultato si è danneggiato durante l’invio.', TRIED_AGAIN],
    UPLOAD_INCOMPLETE: ['Il risultato si è interrotto prima della fine.', TRIED_AGAIN],
    UNKNOWN: ['Si è verificato un errore imprevisto.', 'I dettagli sono nel log.'],
    INTERNAL: ['Un difetto dello studio l’ha impedito.', 'Segnalalo con il log dello studio.'],
    JOB_SET_ASIDE: ['Il lavoro è stato messo da parte; i suoi dati sono conservati.', 'Riprova dopo un aggiornamento.'],
    RECOGNITION_FAILED: ['La registrazione non è stata trascritta.', ''],
    INVALID_TASK_PARAMS: ['Qualcosa nella richiesta non è valido.', 'Correggi ciò che indicano i dettagli.'],
    MODEL_REF_REJECTED: [
      'Il modello non si può scaricare da questo server.',
      'Scegli un altro server nelle impostazioni, o un altro modello.',
    ],
    RESULT_TOO_LARGE: ['Il risultato è troppo grande.', LESS],
    ARTIFACT_TOO_LARGE: ['Un file supera 1\u00a0GiB.', LESS],
    INPUT_UNAVAILABLE: ['Il file inviato è stato eliminato.', SEND_AGAIN],
    CANCELLED: ['Annullato.', ''],
    WORKER_REMOVED: ['La macchina è stata rimossa.', ANOTHER_MACHINE],
    PINNED_WORKER_EXHAUSTED: ['La macchina scelta non è riuscita più volte.', 'Scegli questa macchina o un’altra.'],
    SESSION_EXPIRED: ['La connessione è scaduta.', 'Viene ristabilita da sola.'],
    STALE_EPOCH: ['È in corso un tentativo più recente.', 'Attendi il suo risultato.'],
    STALE_ATTEMPT: ['È in corso un tentativo più recente.', 'Attendi il suo risultato.'],
    UPGRADE_REQUIRED: ['Le versioni dei due programmi sono troppo diverse.', 'Aggiorna la più vecchia.'],
    WORKER_REVOKED: ['Questa macchina è stata rimossa dallo studio.', 'Unisciti di nuovo con un nuovo codice.'],
    AUTH_FAILED: ['L’altra parte non ha potuto provare la propria identità.', 'Unisciti di nuovo con un nuovo codice.'],
    INVALID_REQUEST: ['Un dato inserito non è valido.', 'Correggi ciò che indicano i dettagli.'],
    BAD_REQUEST: ['Lo studio non può accettarlo.', ''],
    NOT_FOUND: ['Non esiste, o non esiste più.', ''],
    MODEL_NOT_FOUND: ['Non esiste un motore con questo nome.', 'Scegline un altro.'],
    METHOD_NOT_ALLOWED: ['Questa pagina e lo studio non coincidono.', 'Ricarica la pagina.'],
    FORBIDDEN: ['Non è consentito.', ''],
    UNAUTHORIZED: ['L’accesso non è attivo.', 'Accedi di nuovo.'],
    OTHER_LOCAL_USER: ['Lo studio è gestito da un altro utente di questo computer.', 'Accedi come utente che gestisce lo studio.'],
    PIN_REQUIRED: ['Il PIN manca o è errato.', 'Lo studio lo mostra sulla sua macchina.'],
    TOO_MANY_WRONG_PINS: ['Troppi PIN errati.', 'Controlla il PIN sulla macchina dello studio.'],
    TOO_MANY_WRONG_KEYS: ['Troppe chiavi errate.', 'Controlla la chiave. Quella giusta funziona subito.'],
    CONFLICT: ['Non è compatibile con lo stato attuale.', ''],
    IDEMPOTENCY_CONFLICT: ['È già stato inviato con un altro contenuto.', 'Riprova.'],
    BODY_TOO_LARGE: [
      ({ limit }) => (limit ? `È troppo grande (il limite è ${limit}).` : 'È troppo grande.'),
      'Invia un file più piccolo o meno testo.',
    ],
    HEADERS_TOO_LARGE: ['Il browser invia troppi cookie.', 'Cancella nel browser i cookie di questo indirizzo.'],
    REQUEST_TIMEOUT: ['È arrivato troppo lentamente.', 'Controlla la rete e riprova.'],
    QUEUE_FULL: [
      ({ seconds }) => (seconds ? `La coda è piena (circa ${seconds}\u00a0s di attesa).` : 'La coda è piena.'),
      'Riprova più tardi.',
    ],
    STORAGE_FULL: ['Il disco dello studio è pieno o non scrivibile.', 'Libera spazio.'],
    LOG_UNREADABLE: ['Impossibile leggere il log.', 'Controlla i permessi della cartella “logs” dello studio.'],
    VIDEO_FETCH_FAILED: [
      'Impossibile leggere il video di questa pagina.',
      'Aggiorna gli strumenti multimediali nelle impostazioni, o carica una registrazione.',
    ],
    HOST_NOT_FOUND: [
      ({ host }) => (host ? `L’indirizzo ${host} non è stato trovato.` : 'L’indirizzo non è stato trovato.'),
      'Controllalo, insieme alla connessione a Internet dello studio, o carica il file.',
    ],
    DOWNLOAD_REFUSED: ['Un altro server ha inviato qualcosa che non viene usato.', 'Scegli un altro elemento.'],
    MEDIA_TYPE_UNSUPPORTED: ['I file di questo tipo non sono accettati.', 'Scegli un altro file.'],
    REMOTE_SERVICE_FAILED: [
      'Un servizio in rete non ha risposto o ha rifiutato.',
      'Controllane l’indirizzo e la chiave nelle impostazioni.',
    ],
    LANGUAGE_MODEL_MISSING: [
      'Nessun modello linguistico è configurato.',
      'Scegli un fornitore nelle impostazioni, e attiva l’uso che ne ha bisogno.',
    ],
    PROGRAM_MISSING: [
      ({ program }) =>
        program ? `Sulla macchina dello studio manca il programma ${program}.` : 'Sulla macchina dello studio manca un programma.',
      'Installalo.',
    ],
    PROGRAM_FAILED: [
      ({ program }) => (program ? `Il programma ${program} non ha funzionato come doveva.` : 'Un programma non ha funzionato come doveva.'),
      'Il log dello studio ne indica il motivo.',
    ],
    PROGRAM_KILLED: [
      ({ program }) =>
        program
          ? `Il programma ${program} è stato chiuso dall’esterno, spesso per mancanza di memoria.`
          : 'Un programma è stato chiuso dall’esterno, spesso per mancanza di memoria.',
      'Libera memoria, poi riprova.',
    ],
    NOT_READY: ['Lo studio si sta avviando o fermando.', 'Riprova tra un attimo.'],
    VOICE_UNAVAILABLE: ['La voce non è disponibile.', ''],
  },
  settings: {
    'perf.torch_compile_disabled': [
      'Salta la compilazione dei grafi',
      'Per motori in Python su Windows la cui prima frase richiede minuti.',
    ],
    'compute.device': ['Scheda grafica', 'Automatico usa il dispositivo più veloce di questa macchina.'],
    'history.retention': [
      'Take da conservare',
      '0 li conserva tutti. I più vecchi si eliminano quando se ne crea uno nuovo; quelli con stella mai.',
    ],
    'dictation.refinement.auto': ['Rifinisci in automatico', 'Alla fine di una dettatura il testo va al modello linguistico.'],
    'dictation.refinement.smart_cleanup': ['Ripulisci', 'Elimina gli intercalari e corregge la punteggiatura.'],
    'dictation.refinement.self_correction': ['Applica le correzioni', '“Lunedì, no, martedì” diventa “martedì”.'],
    'dictation.refinement.preserve_technical': ['Mantieni i termini tecnici', 'Nomi, comandi e codice restano come sono stati detti.'],
    'dictation.refine_seconds': ['Tempo per la rifinitura', 'In secondi. Un testo che ne richiede di più resta invariato.'],
    'voices.most_gigabytes': ['Voci', 'Gigabyte per registrazioni e immagini. Oltre il limite, le nuove vengono rifiutate.'],
    'voices.hosted_url': ['Indirizzo della libreria online', 'Vuoto per nessuna. Un nuovo server rimuove la chiave.'],
    'voices.hosted_key': ['Chiave della libreria online', 'Viene inviata solo a questa libreria.'],
    'gallery.most_gigabytes': ['Galleria', 'Gigabyte per le clip. Oltre il limite, le nuove clip vengono rifiutate.'],
    'dictation.enabled': ['Dettatura', 'Attiva o disattiva il testo dal microfono.'],
    'dictation.mode': ['Tasto di dettatura', 'Premilo una volta per iniziare e una per finire, o tienilo premuto.'],
    'archetypes.download_previews': [
      'Scarica le anteprime delle voci',
      'I campioni delle voci offerte vengono da chi le pubblica. Altrimenti sono creati qui.',
    ],
    'longform.cache_gigabytes': [
      'Cache degli audiolibri',
      'Gigabyte per le frasi generate. Vuoto: 20, o un quinto dello spazio libero se è meno.',
    ],
    'dubbing.store_gigabytes': [
      'Doppiaggi',
      'Gigabyte. Oltre il limite, i file che si possono ricreare vengono eliminati, dai più vecchi.',
    ],
    'dubbing.ingest_local_network': [
      'Film dalla rete locale',
      'Per i film consente gli indirizzi della tua rete, oltre a quelli di Internet.',
    ],
    'mcp.enabled': ['Server MCP', 'Permette agli assistenti su questa macchina di usare le voci di questo studio.'],
    pronunciation_enabled: ['Usa il dizionario', 'Vale per sintesi, audiolibri e doppiaggi.'],
    'recognition.expected_languages': [
      'Lingue previste',
      'Codici come en, fr. Le registrazioni senza una lingua scelta sono in una di queste. Vuoto: qualsiasi lingua.',
    ],
    'watermark.invisible': [
      'Filigrana inudibile',
      'La voce di questo studio si riconosce come sintetica, anche dopo una conversione. Se la disattivi, viene registrato.',
    ],
    'watermark.visible_audio': ['Avviso parlato', 'Conservato per i programmi che ne aggiungono uno. Lo studio non ne aggiunge.'],
    'watermark.visible_video': ['Avviso nei video', 'I video doppiati dicono che le loro voci sono sintetiche.'],
    'env.HTTP_PROXY': ['Proxy per http', PROXY],
    'env.HTTPS_PROXY': ['Proxy per https', PROXY],
    'env.ALL_PROXY': ['Proxy per tutto il resto', PROXY],
    'env.GOOGLE_TRANSLATE_API_KEY': ['Chiave di Google Translate', SERVICE_KEY],
    'env.DEEPL_API_KEY': ['Chiave di DeepL', SERVICE_KEY],
    'env.MICROSOFT_API_KEY': ['Chiave di Microsoft Translator', SERVICE_KEY],
    'env.MICROSOFT_REGION': ['Area di Microsoft Translator', 'L’area della chiave, per esempio westeurope.'],
    'env.MYMEMORY_EMAIL': ['Indirizzo e-mail per MyMemory', 'Aumenta il limite giornaliero di questo servizio, che riceve l’indirizzo.'],
    'env.VOICESTUDIO_PORT': ['Porta dello studio', FREE_PORT],
    'env.VOICESTUDIO_SHARE_PORT': ['Porta per altri dispositivi', FREE_PORT],
    'llm.skill.dub_translation.enabled': ['Traduci i doppiaggi', 'Le battute di un film, con quelle vicine come contesto.'],
    'llm.skill.cinematic_translation.enabled': [
      'Riscrivi le traduzioni in tono parlato',
      'Un secondo passaggio per i doppiaggi con qualità Cinematic.',
    ],
    'llm.skill.slot_fitting.enabled': [
      'Accorcia le battute troppo lunghe',
      'Le battute che andrebbero dette troppo in fretta vengono scritte più brevi.',
    ],
    'llm.skill.glossary_extract.enabled': ['Suggerisci un glossario', 'Nomi e termini di un film, e come tradurli.'],
    'llm.skill.direction_parse.enabled': [
      'Comprendi le indicazioni per una battuta',
      '“Sussurrando, poi più forte” diventa un’impostazione della voce.',
    ],
    'llm.skill.dictation_refinement.enabled': ['Rifinisci il testo dettato', 'Come indicato in Dettatura.'],
  },
  checks: {
    deep_synth: 'Sintesi completa (viene generata una vera frase di prova)',
    network: 'Server dei modelli',
    device: 'Dispositivo',
    ffmpeg: 'ffmpeg',
    hf_token: 'Token per l’hub dei modelli',
    data_dir: 'Cartella dei dati',
    engines: 'Motori',
    disk: 'Spazio libero su disco',
    ram: 'Memoria',
    gpu_routing: 'Dispositivo del motore',
    os: 'Sistema operativo',
    python: 'Python',
    hf_cache_writable: 'Cartella dei modelli',
    gpu: 'Scheda grafica',
  },
  sentences: {
    'No connected machine has the model of {engine} that this dub began with. It continues when one does.':
      'Nessuna macchina connessa ha il modello di {engine} con cui è iniziato questo doppiaggio. Continuerà appena una lo avrà.',
    'Using the voice {voice}, because the model of the Voice Studio engine is not installed.':
      'Viene usata la voce {voice}, perché il modello del motore di Voice Studio non è installato.',
    'Using {engine}, because the model of {wanted} is not installed.':
      'Viene usato {engine}, perché il modello di {wanted} non è installato.',
    'Using {engine}, because no model of {wanted} for {language} is installed.':
      'Viene usato {engine}, perché non è installato nessun modello di {wanted} per {language}.',
    'None that the engines of this machine can use.': 'Nessuna che i motori di questa macchina possano usare.',
    'Small models run fast without one, large models run slowly. You can borrow a machine that has one.':
      'Senza scheda grafica i modelli piccoli sono veloci e quelli grandi lenti. Puoi prendere in prestito una macchina che ne ha una.',
    'This machine has a GPU, so large models run fast enough.':
      'Questa macchina ha una GPU, quindi i modelli grandi sono abbastanza veloci.',
    'These models run fast on a CPU.': 'Questi modelli sono veloci su una CPU.',
    '{engine} runs on {device}.': '{engine} funziona su {device}.',
    'The local agent is not connected yet.': 'L’agente locale non è ancora connesso.',
    'The free space is unknown.': 'Lo spazio libero è sconosciuto.',
    '{size} free': '{size} liberi',
    'The studio was not tested on this system.': 'Lo studio non è stato provato su questo sistema.',
    '{server} answers.': '{server} risponde.',
    '{server} does not answer.': '{server} non risponde.',
    'Installed models work without it. To install others, connect this machine to the internet or choose a mirror in the settings.':
      'I modelli installati funzionano anche senza. Per installarne altri, collega questa macchina a Internet o scegli un mirror nelle impostazioni.',
    'Installed models work without it. Check the connection, the proxy or the mirror in the settings.':
      'I modelli installati funzionano anche senza. Controlla la connessione, il proxy o il mirror nelle impostazioni.',
    'Set.': 'Impostato.',
    'Not set.': 'Non impostato.',
    'Only models that require an account need it. Add it in the settings.':
      'Serve solo per i modelli che richiedono un account. Aggiungilo nelle impostazioni.',
    'Free some space. Models and recordings need more than 5 GB.': 'Libera spazio. Modelli e registrazioni richiedono più di 5\u00a0GB.',
    'Free some space, or correct the owner and the access rights of the folder.':
      'Libera spazio, o correggi il proprietario e i permessi della cartella.',
    'Close other programs, unload models, or choose a smaller model.':
      'Chiudi altri programmi, togli modelli dalla memoria, o scegli un modello più piccolo.',
    'Choose another engine or machine, or check the driver.': 'Scegli un altro motore o un’altra macchina, o controlla il driver.',
    'The engines of this machine are starting. Try again in a moment.':
      'I motori di questa macchina si stanno avviando. Riprova tra un attimo.',
    'A model is being loaded or checked at the moment.': 'Al momento un modello è in fase di caricamento o di controllo.',
    'The file is a manuscript: its headings and tags were kept as they are.':
      'Il file è un manoscritto: titoli e tag sono rimasti come sono.',
    'This chapter is switched off.': 'Questo capitolo è disattivato.',
    'A title without text is no chapter.': 'Un titolo senza testo non è un capitolo.',
    'This voice does not follow instructions or descriptions.': 'Questa voce non segue istruzioni né descrizioni.',
    'The reference recording was used instead of the named voice.':
      'È stata usata la registrazione di riferimento al posto della voce indicata.',
    'The reference is longer than 20 seconds; 3 to 10 seconds are faster and sound better.':
      'Il riferimento dura più di 20 secondi; da 3 a 10 secondi è più veloce e suona meglio.',
    'The reference has no transcript. A transcript (ref_text) makes the voice more similar.':
      'Il riferimento non ha una trascrizione. Con una trascrizione (ref_text) la voce è più somigliante.',
    'The text cannot be spoken in the requested duration; the nearest possible duration was used.':
      'Il testo non si può dire nella durata richiesta; è stata usata la durata possibile più vicina.',
    'This model does not compute the times of words.': 'Questo modello non calcola i tempi delle parole.',
    'No speech was found in the recording.': 'Nella registrazione non è stato trovato parlato.',
    'The weights of lower precision failed; full precision was used.':
      'I pesi a precisione ridotta non hanno funzionato; è stata usata la precisione piena.',
    'This model produces stereo; both channels were mixed to mono.':
      'Questo modello produce audio stereo; i due canali sono stati uniti in mono.',
  },
}
