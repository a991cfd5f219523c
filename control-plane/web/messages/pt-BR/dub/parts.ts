// The words of the parts of an editor of a dub that its first view does not show, in Brazilian Portuguese.
import { grouped, list, plural } from '../language.ts'

const lines = (count: number) => plural(count, { one: '# fala', many: '# de falas', other: '# falas' })
/** Names of the checks of a line. */
const CHECKS: Readonly<Record<string, string>> = {
  words: 'palavras',
  timing: 'tempo',
  language: 'idioma',
  level: 'volume',
  clipping: 'distorção',
  rate: 'ritmo',
  cut: 'finais cortados',
  leak: 'vazamentos do original',
  voice: 'semelhança das vozes',
}
/** Reasons for checks that were not made. */
const NOT_CHECKED: Readonly<Record<string, string>> = {
  words: 'Nenhum modelo instalado entende este idioma.',
  language: 'Nenhum modelo instalado entende este idioma.',
  timing: 'Nenhum modelo instalado detecta onde a voz começa e termina.',
  leak: 'As vozes do filme não foram separadas da música e dos ruídos quando ele foi preparado.',
  voice: 'Nenhum modelo instalado compara vozes.',
}
const checkNames = (checks: readonly string[]) => list(checks.map((check) => CHECKS[check] ?? check))

export const strings = {
  beginTitle: 'Iniciar a dublagem',
  beginHint: 'Transcreva o que é dito no filme ou use legendas que você já tem.',
  startHint: 'O filme é transcrito e traduzido de uma só vez. Enquanto isso, você pode sair desta página.',
  follows: 'Depois, o filme será transcrito e traduzido.',
  afterUpload: 'O filme será transcrito e traduzido quando o envio terminar.',
  filmLanguage: 'Idioma do filme',
  detect: 'Detectar',
  dubInto: 'Dublar para',
  chooseLanguages: 'Escolher idiomas',
  addLanguage: 'Adicionar idioma',
  withoutLanguage: (name: string) => `Remover ${name}`,
  speakerCount: 'Falantes',
  automatic: 'Automático',
  importSubtitles: 'Importar legendas',
  transcribe: 'Transcrever',
  start: 'Iniciar',

  imported: (name: string) => `Falas de ${name}`,
  readAgainHint: 'Se houver letras erradas, escolha outra codificação: as falas são lidas de novo.',
  line: (number: number) => `Fala ${number}`,
  newTake: 'Novo take',
  speakWith: (count: number) => `Dublar esta e mais ${grouped(count)}`,
  understood: (text: string) => `A verificação entendeu: ${text}`,
  lengthIn: (length: string, room: string, isMeasured: boolean) =>
    `${isMeasured ? '' : 'Cerca de '}${length}\u00a0s de voz em um tempo de ${room}\u00a0s.`,
  shorter: 'Uma versão mais curta:',
  use: 'Usar',
  sourceText: 'Texto original',
  startsAt: 'Início',
  endsAt: 'Fim',
  timeHint: 'Por exemplo, 1:02.5 ou 62.5. As setas para cima e para baixo mudam o tempo em 0,1\u00a0s; com Shift, em 1\u00a0s.',
  timeRefusals: {
    number: 'Informe um tempo, por exemplo 1:02.5 ou 62.5.',
    order: 'O fim deve ser pelo menos 0,1\u00a0s depois do início.',
  },
  filmEnds: (end: string) => `O filme termina em ${end}.`,

  newSpeaker: 'Novo falante…',
  newSpeakerName: 'Nome do novo falante',
  addSpeaker: 'Adicionar',
  speakerKeys: 'As teclas de 1 a 9 definem o falante.',
  namesFound: 'Falantes encontrados nas falas:',
  useNames: 'Usar',
  keepNames: 'Manter como texto',
  hearVoice: (name: string) => `Reproduzir a voz de ${name}`,
  stopVoice: (name: string) => `Parar a voz de ${name}`,
  speaks: (count: number, time: string) => (count === 0 ? lines(0) : `${lines(count)}, ${time}`),
  voicesHint: 'Cada falante mantém uma voz. As falas geradas com outra voz são geradas de novo.',
  name: 'Nome',
  voiceOf: (name: string) => `Voz de ${name}`,
  engineVoice: 'Voz do motor',
  filmVoice: 'Voz do filme',

  glossaryHint: 'Nomes e termos traduzidos sempre da mesma forma. Valem a partir da próxima tradução.',
  noGlossary: 'Nenhum termo ainda.',
  terms: 'Termos',
  termSource: 'Original',
  termTarget: 'Tradução',
  termNote: 'Nota',
  addTerm: 'Adicionar termo',
  findTerms: 'Encontrar termos',
  noTerms: 'Ainda não há texto para ler.',
  termsFound: (count: number) =>
    count === 0
      ? 'Nenhum termo novo encontrado.'
      : plural(count, {
          one: '# termo adicionado. Confira as traduções.',
          many: '# de termos adicionados. Confira as traduções.',
          other: '# termos adicionados. Confira as traduções.',
        }),
  foundTerm: 'Encontrado',
  editTerm: (name: string) => `Editar ${name}`,
  removeTerm: (name: string) => `Remover ${name}`,
  translateAgain: (count: number) => `Traduzir ${lines(count)} de novo`,

  exportTitle: 'Exportar',
  language: 'Idioma',
  keepBackground: 'Manter a música e os ruídos do filme',
  keepOriginal: 'Manter o som do filme, mais baixo',
  dual: 'Legendas nos dois idiomas',
  burn: 'Gravar as legendas na imagem',
  files: {
    film: 'Vídeo (MP4)',
    filmHint: (count: number, burns: boolean) =>
      `${plural(count, { one: 'A dublagem', many: '# de dublagens', other: '# dublagens' })}, o som original e ${burns ? 'legendas na imagem' : 'legendas desativadas'}.`,
    mp3: 'Som (MP3)',
    mp3Hint: 'Pequeno, toca em qualquer lugar.',
    wav: 'Som (WAV)',
    wavHint: 'Sem perdas.',
    srt: 'Legendas (SRT)',
    srtHint: 'Para players e sites de vídeo.',
    vtt: 'Legendas (WebVTT)',
    vttHint: 'Para páginas da web.',
    stems: 'Stems (ZIP)',
    stemsHint: 'Voz e fundo em arquivos separados.',
    lines: 'Falas (ZIP)',
    linesHint: 'Cada fala em um arquivo WAV.',
  },
  saveAs: (name: string) => `Salvar ${name}`,
  exportHint: 'Você pode fechar esta janela e sair da página. O estúdio continua, e o arquivo aparece aqui quando estiver pronto.',
  makes: (name: string) => `Criando ${name}`,
  begins: 'Preparando',
  exportFailed: 'Não foi possível criar o arquivo.',
  cancelExport: (name: string) => `Cancelar ${name}`,
  madeTitle: 'Criados antes',
  madeFile: (size: string, when: string) => `${size} · ${when}`,

  checkTitle: 'Verificação',
  checkAgain: 'Verificar de novo',
  closeCheck: 'Fechar a verificação',
  linesCount: lines,
  faulty: (faulty: number, all: number) => `Com defeitos: ${grouped(faulty)} de ${lines(all)}.`,
  noFaults: 'Nenhum defeito encontrado no que foi verificado.',
  checked: (checks: readonly string[]) => `Verificado: ${checkNames(checks)}.`,
  notChecked: (checks: readonly string[]) => `Não verificado: ${checkNames(checks)}.`,
  /** Reasons for checks that no line had, each once. */
  whyNotChecked: (checks: readonly string[]) => [...new Set(checks.flatMap((check) => NOT_CHECKED[check] ?? []))],
  partlyChecked: (checks: readonly string[]) => `Verificado só em algumas falas: ${checkNames(checks)}.`,
  showThem: 'Mostrar',
  repair: 'Dublar de novo',
  closeNote: 'Fechar este aviso',
  wordless: (count: number) =>
    plural(count, {
      one: 'Em # trecho do filme há uma voz, mas nenhuma palavra foi reconhecida e não há fala. Insira uma fala onde alguém fala.',
      many: 'Em # de trechos do filme há uma voz, mas nenhuma palavra foi reconhecida e não há fala. Insira uma fala onde alguém fala.',
      other: 'Em # trechos do filme há uma voz, mas nenhuma palavra foi reconhecida e não há fala. Insira uma fala onde alguém fala.',
    }),
  fromTo: (from: string, to: string) => `${from} a ${to}`,
  playPlace: (times: string) => `Reproduzir ${times}`,
  morePlaces: (count: number) => `e mais ${count}`,
  uncovered: (count: number) =>
    plural(count, {
      one: '# trecho do filme com voz não tem uma fala.',
      many: '# de trechos do filme com voz não têm uma fala.',
      other: '# trechos do filme com voz não têm uma fala.',
    }),
}
