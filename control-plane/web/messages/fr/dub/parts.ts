// The parts of an editor of a dub that its first view does not show, in French: one line, speakers and voices, terms, check, export.
import { list, plural } from '../language.ts'

const lines = (count: number) => plural(count, { one: '# réplique', many: '# répliques', other: '# répliques' })
/** Names of the checks of a line. */
const CHECKS: Readonly<Record<string, string>> = {
  words: 'mots',
  timing: 'calage',
  language: 'langue',
  level: 'niveau sonore',
  clipping: 'distorsion',
  rate: 'débit',
  cut: 'fins coupées',
  leak: 'fuites de l’original',
  voice: 'ressemblance des voix',
}
/** Reasons for checks that were not made. */
const NOT_CHECKED: Readonly<Record<string, string>> = {
  words: 'Aucun modèle installé ne comprend cette langue.',
  language: 'Aucun modèle installé ne comprend cette langue.',
  timing: 'Aucun modèle installé ne repère où la parole commence et finit.',
  leak: 'Les voix du film n’ont pas été séparées de la musique et des bruits lors de la préparation.',
  voice: 'Aucun modèle installé ne compare les voix.',
}
const checkNames = (checks: readonly string[]) => list(checks.map((check) => CHECKS[check] ?? check))

export const strings = {
  beginTitle: 'Lancer le doublage',
  beginHint: 'Transcrivez ce qui est dit dans le film, ou utilisez des sous-titres existants.',
  startHint: 'Le film est transcrit et traduit en une seule fois. Vous pouvez quitter cette page entre-temps.',
  follows: 'Ensuite, le film sera transcrit et traduit.',
  afterUpload: 'Le film sera transcrit et traduit une fois l’envoi terminé.',
  filmLanguage: 'Langue du film',
  detect: 'Détecter',
  dubInto: 'Doubler en',
  chooseLanguages: 'Choisir des langues',
  addLanguage: 'Ajouter une langue',
  withoutLanguage: (name: string) => `Retirer ${name}`,
  speakerCount: 'Intervenants',
  automatic: 'Automatique',
  importSubtitles: 'Importer des sous-titres',
  transcribe: 'Transcrire',
  start: 'Lancer',

  imported: (name: string) => `Répliques de ${name}`,
  readAgainHint: 'Si des lettres sont fausses, choisissez un autre encodage\u00a0: les répliques seront relues.',
  line: (number: number) => `Réplique ${number}`,
  newTake: 'Nouvelle prise',
  speakWith: (count: number) =>
    plural(count, { one: 'Générer celle-ci et # autre', many: 'Générer celle-ci et # autres', other: 'Générer celle-ci et # autres' }),
  understood: (text: string) => `La vérification a compris\u00a0: ${text}`,
  lengthIn: (length: string, room: string, isMeasured: boolean) =>
    `${isMeasured ? '' : 'Environ '}${length}\u00a0s de parole dans un créneau de ${room}\u00a0s.`,
  shorter: 'Une version plus courte\u00a0:',
  use: 'L’utiliser',
  sourceText: 'Texte d’origine',
  startsAt: 'Début',
  endsAt: 'Fin',
  timeHint: 'Par exemple 1:02.5 ou 62.5. Les flèches haut et bas le changent de 0,1\u00a0s, avec Maj de 1\u00a0s.',
  timeRefusals: { number: 'Saisissez un temps, par exemple 1:02.5 ou 62.5.', order: 'La fin doit suivre le début d’au moins 0,1\u00a0s.' },
  filmEnds: (end: string) => `Le film se termine à ${end}.`,

  newSpeaker: 'Nouvel intervenant…',
  newSpeakerName: 'Nom du nouvel intervenant',
  addSpeaker: 'Ajouter',
  speakerKeys: 'Les touches 1 à 9 définissent l’intervenant.',
  namesFound: 'Intervenants repérés dans les répliques\u00a0:',
  useNames: 'Les utiliser',
  keepNames: 'Garder comme texte',
  hearVoice: (name: string) => `Écouter la voix\u00a0: ${name}`,
  stopVoice: (name: string) => `Arrêter la voix\u00a0: ${name}`,
  speaks: (count: number, time: string) => (count === 0 ? lines(0) : `${lines(count)}, ${time}`),
  voicesHint: 'Chaque intervenant garde une seule voix. Les répliques générées avec une autre sont régénérées.',
  name: 'Nom',
  voiceOf: (name: string) => `Voix\u00a0: ${name}`,
  engineVoice: 'Voix du moteur',
  filmVoice: 'Voix du film',

  glossaryHint: 'Noms et termes traduits partout de la même façon. Ils s’appliquent dès la prochaine traduction.',
  noGlossary: 'Aucun terme.',
  terms: 'Termes',
  termSource: 'Original',
  termTarget: 'Traduction',
  termNote: 'Remarque',
  addTerm: 'Ajouter un terme',
  findTerms: 'Repérer les termes',
  noTerms: 'Il n’y a pas encore de texte à lire.',
  termsFound: (count: number) =>
    count === 0
      ? 'Aucun nouveau terme trouvé.'
      : plural(count, {
          one: '# terme ajouté. Vérifiez les traductions.',
          many: '# termes ajoutés. Vérifiez les traductions.',
          other: '# termes ajoutés. Vérifiez les traductions.',
        }),
  foundTerm: 'Repéré',
  editTerm: (name: string) => `Modifier ${name}`,
  removeTerm: (name: string) => `Retirer ${name}`,
  translateAgain: (count: number) => `Retraduire ${lines(count)}`,

  exportTitle: 'Exporter',
  language: 'Langue',
  keepBackground: 'Garder la musique et les bruits du film',
  keepOriginal: 'Garder le son du film, plus bas',
  dual: 'Sous-titres dans les deux langues',
  burn: 'Incruster les sous-titres dans l’image',
  files: {
    film: 'Vidéo (MP4)',
    filmHint: (count: number, burns: boolean) =>
      `${plural(count, { one: 'Le doublage', many: '# doublages', other: '# doublages' })}, le son d’origine et des sous-titres ${burns ? 'incrustés' : 'désactivés'}.`,
    mp3: 'Son (MP3)',
    mp3Hint: 'Léger, lisible partout.',
    wav: 'Son (WAV)',
    wavHint: 'Sans perte.',
    srt: 'Sous-titres (SRT)',
    srtHint: 'Pour les lecteurs et les sites de vidéos.',
    vtt: 'Sous-titres (WebVTT)',
    vttHint: 'Pour les pages web.',
    stems: 'Pistes séparées (ZIP)',
    stemsHint: 'Voix et fond sonore dans des fichiers distincts.',
    lines: 'Répliques (ZIP)',
    linesHint: 'Chaque réplique dans un fichier WAV.',
  },
  saveAs: (name: string) => `Sauvegarder ${name}`,
  exportHint: 'Vous pouvez fermer cette fenêtre et quitter la page. Le studio continue, et le fichier s’affiche ici une fois créé.',
  makes: (name: string) => `Création\u00a0: ${name}`,
  begins: 'Préparation',
  exportFailed: 'Le fichier n’a pas pu être créé.',
  cancelExport: (name: string) => `Annuler ${name}`,
  madeTitle: 'Créés précédemment',
  madeFile: (size: string, when: string) => `${size} · ${when}`,

  checkTitle: 'Vérification',
  checkAgain: 'Revérifier',
  closeCheck: 'Fermer la vérification',
  linesCount: lines,
  faulty: (faulty: number, all: number) =>
    `${plural(faulty, { one: '# défectueuse', many: '# défectueuses', other: '# défectueuses' })} sur ${lines(all)}.`,
  noFaults: 'Aucun défaut dans ce qui a été vérifié.',
  checked: (checks: readonly string[]) => `Vérifié\u00a0: ${checkNames(checks)}.`,
  notChecked: (checks: readonly string[]) => `Non vérifié\u00a0: ${checkNames(checks)}.`,
  /** Reasons for checks that no line had, each once. */
  whyNotChecked: (checks: readonly string[]) => [...new Set(checks.flatMap((check) => NOT_CHECKED[check] ?? []))],
  partlyChecked: (checks: readonly string[]) => `Vérifié dans certaines répliques seulement\u00a0: ${checkNames(checks)}.`,
  showThem: 'Les afficher',
  repair: 'Les régénérer',
  closeNote: 'Fermer cette remarque',
  wordless: (count: number) =>
    plural(count, {
      one: '# passage du film contient une voix, mais aucun mot reconnu ni aucune réplique. Insérez une réplique là où quelqu’un parle.',
      many: '# passages du film contiennent une voix, mais aucun mot reconnu ni aucune réplique. Insérez une réplique là où quelqu’un parle.',
      other:
        '# passages du film contiennent une voix, mais aucun mot reconnu ni aucune réplique. Insérez une réplique là où quelqu’un parle.',
    }),
  fromTo: (from: string, to: string) => `${from} à ${to}`,
  playPlace: (times: string) => `Lire de ${times}`,
  morePlaces: (count: number) => `et ${count} de plus`,
  uncovered: (count: number) =>
    plural(count, {
      one: '# passage parlé du film est sans réplique.',
      many: '# passages parlés du film sont sans réplique.',
      other: '# passages parlés du film sont sans réplique.',
    }),
}
