// The words of the Setup page, and of the hardware, the room and the downloads of models on other pages, in French.

import { decimal, list, plural } from '../language.ts'

const figure = (value: number) => decimal(value, Number.isInteger(value) ? 0 : 1)

export const strings = {
  title: 'Une voix naturelle en trois clics',
  lead: 'Vous pouvez déjà générer avec la voix de base. Tout ceci peut attendre, et rien ne quitte cette machine.',
  machine: 'Cette machine',
  speaking: 'Génération d’une phrase…',
  cardWorks: 'La carte graphique fonctionne',
  processorWorks: 'Le processeur fonctionne',
  notSpoken: 'Échec de la génération',
  lookAgain: 'Revérifier',
  speed: (times: string) => `${times}× la vitesse de la parole`,
  cardLater: 'Testée avec le premier modèle qui l’utilise',
  noCard: 'Aucune carte graphique',
  onProcessor: 'Le processeur s’en charge',
  coresAndMemory: (cores: number, memory: string) => `${plural(cores, { one: '# cœur', many: '# cœurs', other: '# cœurs' })}, ${memory}`,
  free: (size: string) => `${size} libres`,
  forFiles: 'Pour les modèles et les films',
  media: 'Films, MP3, M4B',
  noMedia: 'Fichiers WAV seulement',
  ffmpeg: 'ffmpeg',
  installFfmpeg:
    'Le studio ne télécharge aucun programme. Installez ffmpeg avec le gestionnaire de paquets de cette machine, puis redémarrez le studio.',
  restartForFfmpeg: 'ffmpeg a été installé après le démarrage du studio. Redémarrez le studio pour l’utiliser.',
  suggestions: (count: number) => plural(count, { one: '# suggestion', many: '# suggestions', other: '# suggestions' }),
  checksFailed: (failed: number, all: number) =>
    `${plural(failed, { one: '# échec', many: '# échecs', other: '# échecs' })} sur ${plural(all, { one: '# vérification', many: '# vérifications', other: '# vérifications' })}.`,

  bundles: { gpu: 'Le pack naturel', cpu: 'Le pack léger' },
  chosenFor: { gpu: 'Choisi pour cette carte graphique.', cpu: 'Il ne nécessite aucune carte graphique.' },
  inBackground: 'Il s’installe en arrière-plan.',
  about: (time: string, rate: string) => `Environ ${time} à ${rate}/s, en arrière-plan.`,
  install: (size: string) => `Installer ${size}`,
  again: (size: string) => `Réessayer, ${size}`,
  arrived: (done: string, all: string) => `${done} sur ${all}`,
  left: (time: string) => `reste ${time}`,
  progress: 'Téléchargement du pack',
  allInstalled: 'Tout est installé.',
  nothingFits: 'Aucun modèle de ce pack ne convient à cette machine.',
  or: 'Ou',
  other: (name: string, size: string) => `${name}, ${size}`,
  choose: 'Choisir vous-même',
  borrow: 'Emprunter une machine…',
  offline: 'Le serveur de modèles ne répond pas, rien ne peut donc être installé pour le moment.',

  hear: 'Écouter',
  text: 'Phrase',
  voice: 'Voix',
  defaultVoice: 'Voix par défaut',
  speak: 'Générer',
  sample: 'À cinq heures, le port était calme.',
  stays: 'La configuration reste accessible par la recherche et dans les réglages.',

  otherPlatform: (platforms: readonly string[]) => `Fonctionne uniquement sur ${list(platforms)}.`,
  unsupported: 'Son moteur ne fonctionne pas sur cette machine, ou l’agent a une autre version.',
  diskTooSmall: (needed: string, free: string) =>
    `Il faut ${needed}\u00a0Go, mais seuls ${free}\u00a0Go sont libres. Libérez d’abord de l’espace disque.`,
  diskReserve: (reserve: number) =>
    `Il resterait moins de ${figure(reserve)}\u00a0Go libres sur le disque, l’installation peut donc être refusée.`,
  memoryTooSmall: (memory: string) => `Il faut plus de mémoire que n’en a cette machine (${memory}).`,
  starting: 'Démarrage…',
  planning: 'Lecture de la liste des fichiers…',
  retrying: (attempt: number, error: string) => `Échec de la tentative ${attempt}\u00a0: ${error}. Nouvel essai.`,
}
