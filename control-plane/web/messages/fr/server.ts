// French for what the studio writes: failures, settings, checks and sentences.
import type { ServerTexts } from '../server.ts'

const ANOTHER_MACHINE = 'La tâche va à une autre machine.'
const TRIED_AGAIN = 'La tâche est relancée.'
const CHECK_NETWORK = 'Vérifiez le réseau jusqu’à la machine.'
const STARTED_AGAIN = 'Il redémarre pour la prochaine tâche.'
const SEND_AGAIN = 'Envoyez-la à nouveau.'
const LESS = 'Traitez-en moins à la fois.'
const PROXY =
  'http://hôte:port. Le studio et ses téléchargements l’utilisent aussitôt. Conservé chiffré, car il peut contenir un mot de passe.'
const SERVICE_KEY = 'Pour traduire avec ce service. Conservée chiffrée et jamais affichée.'
const FREE_PORT = 'Le numéro d’un port qu’aucun autre programme n’utilise.'

export const server: ServerTexts = {
  failures: {
    WORKER_AT_CAPACITY: ['La machine est occupée.', 'La tâche va à la prochaine machine libre.'],
    WORKER_UNREACHABLE: [
      ({ machine }) => (machine ? `La machine ${machine} n’a pas répondu.` : 'La machine n’a pas répondu.'),
      'Vérifiez qu’elle est allumée et que son agent fonctionne.',
    ],
    PINNED_WORKER_UNREACHABLE: [
      'La machine choisie est inutilisable pour le moment.',
      'Allumez-la, installez-y le moteur, ou choisissez cette machine ou Automatique.',
    ],
    MODEL_NOT_INSTALLED: [
      ({ engine }) => (engine ? `Le moteur ${engine} n’est pas installé.` : 'Le moteur n’est pas installé.'),
      'Installez-le sur la page Modèles.',
    ],
    FILES_NOT_PRIVATE: [
      'D’autres comptes de l’ordinateur pourraient modifier le programme de ce moteur, il n’est donc pas utilisé.',
      'Corrigez la propriété et les droits d’accès des fichiers.',
    ],
    MODEL_NOT_DOWNLOADED: ['Il manque un modèle.', 'Installez-le sur la page Modèles.'],
    MODEL_DIGEST_MISMATCH: ['La machine a une autre version du modèle.', 'Installez-y la même version, ou choisissez une autre machine.'],
    INSUFFICIENT_MEMORY: ['Le modèle ne tient pas en mémoire.', 'Choisissez un modèle plus petit ou une autre machine.'],
    OPERATION_UNSUPPORTED: ['Le moteur ne sait pas faire cela.', 'Choisissez un autre moteur.'],
    NO_CAPABLE_WORKER: ['Aucune machine autorisée ne peut le faire pour le moment.', 'La page Machines montre l’état de chacune.'],
    INPUT_TRANSFER_UNSUPPORTED: ['Le programme de la machine est trop ancien pour recevoir des fichiers.', 'Mettez-le à jour.'],
    CONSENT_MISSING: ['La machine n’est pas approuvée.', 'Approuvez-la sur la page Machines.'],
    ACCEPT_TIMEOUT: ['La machine n’a pas répondu à temps.', ANOTHER_MACHINE],
    MODEL_LOAD_TIMEOUT: ['Le chargement du modèle a pris trop de temps.', 'Réessayez une fois qu’il est chargé.'],
    EXECUTION_TIMEOUT: ['Le traitement a dépassé la durée autorisée.', 'Utilisez moins de texte à la fois.'],
    PROGRESS_LEASE_EXPIRED: ['La machine ne donne plus signe de progression.', 'Consultez son journal.'],
    RESULT_DELIVERY_TIMEOUT: ['Le résultat n’est pas arrivé à temps.', CHECK_NETWORK],
    INPUT_FETCH_TIMEOUT: ['L’entrée n’a pas atteint la machine à temps.', CHECK_NETWORK],
    TASK_DEADLINE_EXCEEDED: ['Le délai autorisé est écoulé.', 'Accordez plus de temps.'],
    INPUT_FETCH_FAILED: ['L’entrée n’a pas atteint la machine.', CHECK_NETWORK],
    INPUT_CORRUPT: ['L’entrée est arrivée endommagée.', SEND_AGAIN],
    INVALID_RESULT: ['La machine a envoyé un résultat non valide.', ANOTHER_MACHINE],
    RESULT_UPLOAD_FAILED: ['Le résultat n’est pas arrivé.', CHECK_NETWORK],
    WORKER_FAILED: ['Le moteur a échoué sur cette machine.', 'Consultez son journal.'],
    WORKER_REJECTED: ['La machine refuse cette tâche, et aucune autre n’était disponible.', 'Choisissez une autre machine.'],
    ENGINE_CRASHED: ['Le moteur s’est arrêté de façon inattendue.', STARTED_AGAIN],
    ENGINE_HUNG: ['Le moteur ne répondait plus et a été arrêté.', STARTED_AGAIN],
    NON_FINITE_OUTPUT: ['Le moteur n’a produit aucun son utilisable.', 'Essayez une autre graine.'],
    WORKER_DISCONNECTED: ['La connexion à la machine est perdue.', 'Vérifiez son réseau.'],
    WORKER_DRAINING: ['La machine est en cours d’arrêt.', ANOTHER_MACHINE],
    SERVER_RESTART: ['Le studio a redémarré.', 'Réessayez si le travail ne reprend pas de lui-même.'],
    OFFSET_MISMATCH: ['Il manquait une partie du résultat.', TRIED_AGAIN],
    SIZE_MISMATCH: ['Le résultat n’a pas la taille annoncée.', TRIED_AGAIN],
    DIGEST_MISMATCH: ['Le résultat a été endommagé en route.', TRIED_AGAIN],
    UPLOAD_INCOMPLETE: ['Le résultat est arrivé incomplet.', TRIED_AGAIN],
    UNKNOWN: ['Une erreur inattendue est survenue.', 'Le journal donne les détails.'],
    INTERNAL: ['Un défaut du studio a empêché cette action.', 'Signalez-le en joignant le journal du studio.'],
    JOB_SET_ASIDE: ['Le travail a été mis de côté\u00a0; son entrée est conservée.', 'Relancez-le après une mise à jour.'],
    RECOGNITION_FAILED: ['L’enregistrement n’a pas été transcrit.', ''],
    INVALID_TASK_PARAMS: ['Un élément de la demande n’est pas valide.', 'Corrigez ce qu’indiquent les détails.'],
    MODEL_REF_REJECTED: [
      'Le modèle ne peut pas être téléchargé depuis ce serveur.',
      'Choisissez un autre serveur dans les réglages, ou un autre modèle.',
    ],
    RESULT_TOO_LARGE: ['Le résultat est trop volumineux.', LESS],
    ARTIFACT_TOO_LARGE: ['Un fichier dépasse 1\u00a0Gio.', LESS],
    INPUT_UNAVAILABLE: ['L’entrée a été supprimée.', SEND_AGAIN],
    CANCELLED: ['Annulé.', ''],
    WORKER_REMOVED: ['La machine a été retirée.', ANOTHER_MACHINE],
    PINNED_WORKER_EXHAUSTED: ['La machine choisie a échoué plusieurs fois.', 'Choisissez cette machine ou une autre.'],
    SESSION_EXPIRED: ['La connexion a expiré.', 'Elle se rétablit d’elle-même.'],
    STALE_EPOCH: ['Une tentative plus récente est en cours.', 'Attendez son résultat.'],
    STALE_ATTEMPT: ['Une tentative plus récente est en cours.', 'Attendez son résultat.'],
    UPGRADE_REQUIRED: ['Les versions des deux programmes sont trop différentes.', 'Mettez à jour la plus ancienne.'],
    WORKER_REVOKED: ['Cette machine a été retirée du studio.', 'Rejoignez-le avec un nouveau code.'],
    AUTH_FAILED: ['L’autre côté n’a pas pu prouver son identité.', 'Rejoignez le studio avec un nouveau code.'],
    INVALID_REQUEST: ['Une valeur n’est pas valide.', 'Corrigez ce qu’indiquent les détails.'],
    BAD_REQUEST: ['Le studio ne peut pas accepter cette demande.', ''],
    NOT_FOUND: ['Cet élément n’existe pas, ou plus.', ''],
    MODEL_NOT_FOUND: ['Aucun moteur ne porte ce nom.', 'Choisissez-en un autre.'],
    METHOD_NOT_ALLOWED: ['Cette page et le studio ne concordent pas.', 'Rechargez la page.'],
    FORBIDDEN: ['Cette action n’est pas autorisée.', ''],
    UNAUTHORIZED: ['Votre session n’est pas ouverte.', 'Reconnectez-vous.'],
    OTHER_LOCAL_USER: [
      'Un autre compte de cet ordinateur fait tourner le studio.',
      'Connectez-vous avec le compte qui fait tourner le studio.',
    ],
    PIN_REQUIRED: ['Le code PIN manque ou est erroné.', 'Le studio l’affiche sur sa propre machine.'],
    TOO_MANY_WRONG_PINS: ['Trop de codes PIN erronés.', 'Vérifiez le code PIN sur la machine du studio.'],
    TOO_MANY_WRONG_KEYS: ['Trop de clés erronées.', 'Vérifiez la clé. La bonne fonctionne aussitôt.'],
    CONFLICT: ['Cette action ne convient pas à l’état actuel.', ''],
    IDEMPOTENCY_CONFLICT: ['Cette demande a déjà été envoyée avec un autre contenu.', 'Réessayez.'],
    BODY_TOO_LARGE: [
      ({ limit }) =>
        limit
          ? `C’est trop volumineux (la limite est de ${String(limit).replace(/ ([KMGT]?)B$/, (_, prefix: string) => `\u00a0${prefix === 'K' ? 'k' : prefix}o`)}).`
          : 'C’est trop volumineux.',
      'Envoyez un fichier plus petit ou moins de texte.',
    ],
    HEADERS_TOO_LARGE: ['Le navigateur envoie trop de cookies.', 'Effacez les cookies de cette adresse dans le navigateur.'],
    REQUEST_TIMEOUT: ['L’envoi était trop lent.', 'Vérifiez le réseau et réessayez.'],
    QUEUE_FULL: [
      ({ seconds }) => (seconds ? `La file d’attente est pleine pour encore ${seconds}\u00a0s environ.` : 'La file d’attente est pleine.'),
      'Réessayez plus tard.',
    ],
    STORAGE_FULL: ['Le disque du studio est plein ou protégé en écriture.', 'Libérez de l’espace.'],
    LOG_UNREADABLE: ['Le journal est illisible.', 'Vérifiez les droits d’accès du dossier «\u00a0logs\u00a0» du studio.'],
    VIDEO_FETCH_FAILED: [
      'La vidéo de cette page n’a pas pu être lue.',
      'Mettez à jour les outils multimédias dans les réglages, ou envoyez un enregistrement.',
    ],
    HOST_NOT_FOUND: [
      ({ host }) => (host ? `L’adresse ${host} est introuvable.` : 'L’adresse est introuvable.'),
      'Vérifiez-la, ainsi que la connexion du studio à Internet, ou envoyez le fichier.',
    ],
    DOWNLOAD_REFUSED: ['Un autre serveur a envoyé un contenu inutilisable.', 'Choisissez un autre élément.'],
    MEDIA_TYPE_UNSUPPORTED: ['Les fichiers de ce type ne sont pas acceptés.', 'Choisissez un autre fichier.'],
    REMOTE_SERVICE_FAILED: [
      'Un service du réseau n’a pas répondu ou a refusé la demande.',
      'Vérifiez son adresse et sa clé dans les réglages.',
    ],
    LANGUAGE_MODEL_MISSING: [
      'Aucun modèle de langage n’est configuré.',
      'Choisissez un fournisseur dans les réglages, et activez l’usage qui en a besoin.',
    ],
    PROGRAM_MISSING: [
      ({ program }) =>
        program ? `Le programme ${program} manque sur la machine du studio.` : 'Il manque un programme sur la machine du studio.',
      'Installez-le.',
    ],
    PROGRAM_FAILED: [
      ({ program }) => `${program ? `Le programme ${program}` : 'Un programme'} n’a pas fonctionné comme prévu.`,
      'Le journal du studio en donne la raison.',
    ],
    PROGRAM_KILLED: [
      ({ program }) => `${program ? `Le programme ${program}` : 'Un programme'} a été arrêté de l’extérieur, souvent faute de mémoire.`,
      'Libérez de la mémoire, puis réessayez.',
    ],
    NOT_READY: ['Le studio démarre ou s’arrête.', 'Réessayez dans un instant.'],
    VOICE_UNAVAILABLE: ['La voix n’est pas disponible.', ''],
  },
  settings: {
    'perf.torch_compile_disabled': [
      'Ignorer la compilation des graphes',
      'Pour les moteurs en Python sous Windows dont la première phrase prend des minutes.',
    ],
    'compute.device': ['Carte graphique', 'Automatique utilise le matériel le plus rapide de cette machine.'],
    'history.retention': [
      'Conservation des prises',
      '0 les conserve toutes. Les plus anciennes sont supprimées à chaque nouvelle prise, mais jamais les favorites.',
    ],
    'dictation.refinement.auto': ['Réviser automatiquement', 'Les textes vont au modèle de langage à la fin d’une dictée.'],
    'dictation.refinement.smart_cleanup': ['Nettoyer', 'Retire les mots de remplissage et corrige la ponctuation.'],
    'dictation.refinement.self_correction': ['Appliquer les corrections', '«\u00a0Lundi, non, mardi\u00a0» devient «\u00a0mardi\u00a0».'],
    'dictation.refinement.preserve_technical': [
      'Garder les termes techniques',
      'Les noms, les commandes et le code restent tels qu’ils ont été dits.',
    ],
    'dictation.refine_seconds': ['Durée de la révision', 'En secondes. Un texte qui prend plus de temps est gardé tel quel.'],
    'voices.most_gigabytes': ['Voix', 'Gigaoctets pour les enregistrements et les images. Au-delà, les nouveaux sont refusés.'],
    'voices.hosted_url': ['Adresse de la bibliothèque hébergée', 'Vide\u00a0: aucune. Un nouveau serveur efface la clé.'],
    'voices.hosted_key': ['Clé de la bibliothèque hébergée', 'Elle n’est envoyée qu’à cette bibliothèque.'],
    'gallery.most_gigabytes': ['Galerie', 'Gigaoctets pour les extraits. Au-delà, les nouveaux extraits sont refusés.'],
    'dictation.enabled': ['Dictée', 'Active ou désactive le texte à partir du micro.'],
    'dictation.mode': ['Touche de dictée', 'Un appui pour commencer et un pour finir, ou la maintenir.'],
    'archetypes.download_previews': [
      'Télécharger les aperçus des voix',
      'Les échantillons des voix proposées viennent de leur éditeur. Sinon, ils sont créés ici.',
    ],
    'longform.cache_gigabytes': [
      'Cache des livres audio',
      'Gigaoctets pour les phrases générées. Vide\u00a0: 20, ou un cinquième de l’espace libre si c’est moins.',
    ],
    'dubbing.store_gigabytes': [
      'Doublages',
      'Gigaoctets. Au-delà, les fichiers qui peuvent être recréés sont supprimés, les plus anciens d’abord.',
    ],
    'dubbing.ingest_local_network': [
      'Films du réseau local',
      'Autorise pour les films les adresses de votre propre réseau, et pas seulement Internet.',
    ],
    'mcp.enabled': ['Serveur MCP', 'Permet aux assistants de cette machine d’utiliser les voix de ce studio.'],
    pronunciation_enabled: ['Utiliser le dictionnaire', 'S’applique à la synthèse, aux livres audio et aux doublages.'],
    'recognition.expected_languages': [
      'Langues attendues',
      'Des codes comme fr, en. Les enregistrements sans langue choisie sont dans l’une d’elles. Vide\u00a0: toute langue.',
    ],
    'watermark.invisible': [
      'Marque inaudible',
      'La parole de ce studio reste reconnaissable comme synthétique, même après conversion. La désactivation est consignée.',
    ],
    'watermark.visible_audio': ['Annonce vocale', 'Conservé pour les programmes qui en ajoutent une. Le studio n’en ajoute pas.'],
    'watermark.visible_video': ['Mention dans les vidéos', 'Les vidéos doublées indiquent que leurs voix sont synthétiques.'],
    'env.HTTP_PROXY': ['Proxy pour http', PROXY],
    'env.HTTPS_PROXY': ['Proxy pour https', PROXY],
    'env.ALL_PROXY': ['Proxy pour tout le reste', PROXY],
    'env.GOOGLE_TRANSLATE_API_KEY': ['Clé Google Translate', SERVICE_KEY],
    'env.DEEPL_API_KEY': ['Clé DeepL', SERVICE_KEY],
    'env.MICROSOFT_API_KEY': ['Clé Microsoft Translator', SERVICE_KEY],
    'env.MICROSOFT_REGION': ['Région Microsoft Translator', 'La région de la clé, par exemple westeurope.'],
    'env.MYMEMORY_EMAIL': ['Adresse e-mail MyMemory', 'Relève la limite quotidienne de ce service, qui reçoit l’adresse.'],
    'env.VOICESTUDIO_PORT': ['Port du studio', FREE_PORT],
    'env.VOICESTUDIO_SHARE_PORT': ['Port pour les autres appareils', FREE_PORT],
    'llm.skill.dub_translation.enabled': [
      'Traduire les doublages',
      'Les répliques d’un film, avec celles qui les entourent comme contexte.',
    ],
    'llm.skill.cinematic_translation.enabled': [
      'Réécrire les traductions dans un style parlé',
      'Un second passage pour les doublages de qualité Cinematic.',
    ],
    'llm.skill.slot_fitting.enabled': [
      'Raccourcir les répliques trop longues',
      'Les répliques qu’il faudrait dire trop vite sont réécrites plus courtes.',
    ],
    'llm.skill.glossary_extract.enabled': ['Proposer un glossaire', 'Les noms et termes d’un film, et comment les traduire.'],
    'llm.skill.direction_parse.enabled': [
      'Comprendre les consignes d’une réplique',
      '«\u00a0En chuchotant, puis plus fort\u00a0» devient des réglages de la voix.',
    ],
    'llm.skill.dictation_refinement.enabled': ['Soigner le texte dicté', 'Comme indiqué dans Dictée.'],
  },
  checks: {
    deep_synth: 'Synthèse réelle (une phrase d’essai est générée)',
    network: 'Serveur de modèles',
    device: 'Matériel',
    ffmpeg: 'ffmpeg',
    hf_token: 'Jeton du serveur de modèles',
    data_dir: 'Dossier des données',
    engines: 'Moteurs',
    disk: 'Espace disque libre',
    ram: 'Mémoire',
    gpu_routing: 'Matériel utilisé par le moteur',
    os: 'Système d’exploitation',
    python: 'Python',
    hf_cache_writable: 'Dossier des modèles',
    gpu: 'Carte graphique',
  },
  sentences: {
    'No connected machine has the model of {engine} that this dub began with. It continues when one does.':
      'Aucune machine connectée n’a le modèle de {engine} avec lequel ce doublage a commencé. Il reprendra dès que l’une d’elles l’aura.',
    'Using the voice {voice}, because the model of the Voice Studio engine is not installed.':
      'La voix {voice} est utilisée, car le modèle du moteur Voice Studio n’est pas installé.',
    'Using {engine}, because the model of {wanted} is not installed.':
      '{engine} est utilisé, car le modèle de {wanted} n’est pas installé.',
    'Using {engine}, because no model of {wanted} for {language} is installed.':
      '{engine} est utilisé, car aucun modèle de {wanted} n’est installé pour cette langue ({language}).',
    'None that the engines of this machine can use.': 'Aucune que les moteurs de cette machine puissent utiliser.',
    'Small models run fast without one, large models run slowly. You can borrow a machine that has one.':
      'Sans carte graphique, les petits modèles restent rapides et les grands sont lents. Vous pouvez emprunter une machine qui en a une.',
    'This machine has a GPU, so large models run fast enough.': 'Cette machine a un GPU, les grands modèles sont donc assez rapides.',
    'These models run fast on a CPU.': 'Ces modèles sont rapides sur un CPU.',
    '{engine} runs on {device}.': '{engine} fonctionne sur {device}.',
    'The local agent is not connected yet.': 'L’agent local n’est pas encore connecté.',
    'The free space is unknown.': 'L’espace libre est inconnu.',
    '{size} free': '{size} libres',
    'The studio was not tested on this system.': 'Le studio n’a pas été testé sur ce système.',
    '{server} answers.': '{server} répond.',
    '{server} does not answer.': '{server} ne répond pas.',
    'Installed models work without it. To install others, connect this machine to the internet or choose a mirror in the settings.':
      'Les modèles installés fonctionnent sans le serveur. Pour en installer d’autres, connectez cette machine à Internet ou choisissez un miroir dans les réglages.',
    'Installed models work without it. Check the connection, the proxy or the mirror in the settings.':
      'Les modèles installés fonctionnent sans le serveur. Vérifiez la connexion, ou bien le proxy ou le miroir dans les réglages.',
    'Set.': 'Valeur en place.',
    'Not set.': 'Aucune valeur.',
    'Only models that require an account need it. Add it in the settings.':
      'Seuls les modèles qui exigent un compte en ont besoin. Le jeton s’ajoute dans les réglages.',
    'Free some space. Models and recordings need more than 5 GB.':
      'Libérez de l’espace. Les modèles et les enregistrements demandent plus de 5\u00a0Go.',
    'Free some space, or correct the owner and the access rights of the folder.':
      'Libérez de l’espace, ou corrigez la propriété et les droits d’accès du dossier.',
    'Close other programs, unload models, or choose a smaller model.':
      'Fermez d’autres programmes, déchargez des modèles ou choisissez un modèle plus petit.',
    'Choose another engine or machine, or check the driver.': 'Choisissez un autre moteur ou une autre machine, ou vérifiez le pilote.',
    'The engines of this machine are starting. Try again in a moment.':
      'Les moteurs de cette machine démarrent. Réessayez dans un instant.',
    'A model is being loaded or checked at the moment.': 'Un modèle est en cours de chargement ou de vérification.',
    'The file is a manuscript: its headings and tags were kept as they are.':
      'Le fichier est un manuscrit\u00a0: ses titres et ses balises ont été conservés tels quels.',
    'This chapter is switched off.': 'Ce chapitre est désactivé.',
    'A title without text is no chapter.': 'Un titre sans texte ne fait pas un chapitre.',
    'This voice does not follow instructions or descriptions.': 'Cette voix ne suit ni consignes ni descriptions.',
    'The reference recording was used instead of the named voice.':
      'L’enregistrement de référence a été utilisé à la place de la voix indiquée.',
    'The reference is longer than 20 seconds; 3 to 10 seconds are faster and sound better.':
      'La référence dépasse 20 secondes\u00a0; 3 à 10 secondes sont plus rapides et donnent un meilleur son.',
    'The reference has no transcript. A transcript (ref_text) makes the voice more similar.':
      'La référence n’a pas de transcription. Une transcription (ref_text) rend la voix plus ressemblante.',
    'The text cannot be spoken in the requested duration; the nearest possible duration was used.':
      'Le texte ne peut pas être dit dans la durée demandée\u00a0; la durée possible la plus proche a été utilisée.',
    'This model does not compute the times of words.': 'Ce modèle ne calcule pas le minutage des mots.',
    'No speech was found in the recording.': 'Aucune parole n’a été trouvée dans l’enregistrement.',
    'The weights of lower precision failed; full precision was used.':
      'Les poids de précision réduite ont échoué\u00a0; la pleine précision a été utilisée.',
    'This model produces stereo; both channels were mixed to mono.':
      'Ce modèle produit de la stéréo\u00a0; les deux canaux ont été mixés en mono.',
  },
}
