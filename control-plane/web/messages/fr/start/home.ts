// The words of the Home page, in French.
import { grouped, plural } from '../language.ts'

export const strings = {
  local: 'Les travaux s’exécutent sur cette machine.',
  elsewhere: (name: string) => `Les travaux s’exécutent sur ${name}.`,
  machine: (name: string, jobs: number) =>
    `${name} est connectée et ${jobs === 0 ? 'disponible' : plural(jobs, { one: 'exécute # travail', many: 'exécute # travaux', other: 'exécute # travaux' })}.`,
  machines: (count: number) => `${count} machines sont connectées.`,

  text: 'Texte',
  placeholder: 'Saisissez ou collez un texte…',
  voice: 'Voix',
  defaultVoice: 'Voix par défaut',
  speak: 'Générer',
  speakKeys: 'Ctrl ↵',
  tooLong: (limit: number) => `Une prise est limitée à ${grouped(limit)} caractères.`,
  busy: 'Une génération est encore en cours. Annulez-la ou attendez la fin.',
  openFile: 'Ouvrir un fichier',
  dictate: 'Dicter',
  askFile: (name: string) => `${name}\u00a0: doublage ou transcription\u00a0?`,
  dubIt: 'Doubler',
  transcribeIt: 'Transcrire',
  keepOut: 'Annuler',
  otherFile: 'L’accueil ouvre les textes, les enregistrements et les films. Les livres s’ouvrent sur la page Livre audio.',
  longText: 'Ce texte a la longueur d’un livre. Ouvrez-le sur la page Livre audio.',
  otherTranscript: 'Un autre enregistrement est en cours d’envoi. Attendez la fin, puis ouvrez à nouveau celui-ci.',
  create: 'Créer',
  tiles: {
    dub: ['Doubler une vidéo', 'Dans une autre langue'],
    audiobook: ['Créer un livre audio', 'Depuis EPUB, PDF, Word ou texte'],
    transcribe: ['Transcrire', 'Audio, vidéo ou dictée'],
    voices: ['Cloner ou concevoir une voix', '10 secondes suffisent'],
  },

  continue: 'Reprendre',
  allProjects: 'Tous les projets',
  take: 'Prise',
  project: 'Projet',
  transcript: 'Transcription',
  speech: 'Synthèse',
  manuscript: 'Manuscrit',
  dub: (language: string, lines: number) =>
    ['Doublage', language, lines > 0 ? plural(lines, { one: '# réplique', many: '# répliques', other: '# répliques' }) : '']
      .filter(Boolean)
      .join(' · '),
  book: (chapters: number) =>
    plural(chapters, { one: 'Livre audio · # chapitre', many: 'Livre audio · # chapitres', other: 'Livre audio · # chapitres' }),
  stopped: (done: number, all: number) => `Arrêté. ${done} sur ${all} chapitres sont conservés.`,
  done: 'Terminé',
  draft: 'Brouillon',
  spoken: 'Généré',

  first: 'Premiers mots',
  firstHint: 'Choisissez un texte pour essayer une voix.',
  samples: [
    'À cinq heures, le port était calme. Rien que les mouettes, et une lampe au bout de la jetée.',
    'Bonsoir. Voici les titres de l’actualité.',
    'Douze marches descendent à la cave, et la dernière ne tient plus.',
  ],

  running: 'En cours',
  jobs: 'Travaux',
  nothing: 'Rien en cours.',
  checking: 'Vérification de ce studio…',
  ready: 'Prêt',
  suggestions: (count: number) =>
    plural(count, { one: 'Prêt, avec # suggestion', many: 'Prêt, avec # suggestions', other: 'Prêt, avec # suggestions' }),
  notReady: 'Votre intervention est nécessaire',
  needsApproval: (name: string) => `${name} attend votre approbation`,
  review: 'Examiner',
  show: 'Afficher',
  dismiss: 'Ignorer',
  crashed: 'Le programme a planté ou a été interrompu. La fin de son journal a été conservée.',
  readError: (what: string) => `Impossible de charger cette liste\u00a0: ${what}`,
}
