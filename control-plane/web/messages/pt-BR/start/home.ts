// The words of the Home page, in Brazilian Portuguese.
import { grouped, plural } from '../language.ts'

export const strings = {
  local: 'O trabalho roda nesta máquina.',
  elsewhere: (name: string) => `O trabalho roda em ${name}.`,
  machine: (name: string, jobs: number) =>
    `${name} está conectada e ${jobs === 0 ? 'ociosa' : plural(jobs, { one: 'executa # trabalho', many: 'executa # de trabalhos', other: 'executa # trabalhos' })}.`,
  machines: (count: number) => `${grouped(count)} máquinas estão conectadas.`,

  text: 'Texto',
  placeholder: 'Digite ou cole um texto…',
  voice: 'Voz',
  defaultVoice: 'Voz padrão',
  speak: 'Falar',
  speakKeys: 'Ctrl ↵',
  tooLong: (limit: number) => `Um take pode ter no máximo ${grouped(limit)} caracteres.`,
  busy: 'Algo ainda está sendo gerado. Cancele ou espere terminar.',
  openFile: 'Abrir arquivo',
  dictate: 'Ditar',
  askFile: (name: string) => `${name}: dublar ou transcrever?`,
  dubIt: 'Dublar',
  transcribeIt: 'Transcrever',
  keepOut: 'Cancelar',
  otherFile: 'O Início abre textos, gravações e filmes. Livros são abertos na página Audiolivro.',
  longText: 'Este texto tem o tamanho de um livro. Abra-o na página Audiolivro.',
  otherTranscript: 'Outra gravação está sendo enviada. Espere o envio terminar e abra esta de novo.',
  create: 'Criar',
  tiles: {
    dub: ['Dublar um vídeo', 'Em outro idioma'],
    audiobook: ['Criar um audiolivro', 'De EPUB, PDF, Word ou texto'],
    transcribe: ['Transcrever', 'Áudio, vídeo ou ditado'],
    voices: ['Clonar ou descrever uma voz', 'Bastam 10 segundos'],
  },

  continue: 'Continuar',
  allProjects: 'Todos os projetos',
  take: 'Take',
  project: 'Projeto',
  transcript: 'Transcrição',
  speech: 'Locução',
  manuscript: 'Manuscrito',
  dub: (language: string, lines: number) =>
    ['Dublagem', language, lines > 0 ? plural(lines, { one: '# fala', many: '# de falas', other: '# falas' }) : '']
      .filter(Boolean)
      .join(' · '),
  book: (chapters: number) =>
    plural(chapters, { one: 'Audiolivro · # capítulo', many: 'Audiolivro · # de capítulos', other: 'Audiolivro · # capítulos' }),
  stopped: (done: number, all: number) => `Parado. Capítulos guardados: ${done} de ${all}.`,
  done: 'Concluído',
  draft: 'Rascunho',
  spoken: 'Dublado',

  first: 'Primeiras palavras',
  firstHint: 'Escolha um texto para experimentar uma voz.',
  samples: [
    'O porto estava quieto às cinco. Só as gaivotas e uma lâmpada no cais distante.',
    'Boa noite. Estas são as manchetes das nove.',
    'Doze degraus levam ao porão, e o último está solto.',
  ],

  running: 'Em andamento',
  jobs: 'Trabalhos',
  nothing: 'Nada em andamento.',
  checking: 'Verificando este estúdio…',
  ready: 'Pronto',
  suggestions: (count: number) =>
    plural(count, { one: 'Pronto, com # sugestão', many: 'Pronto, com # de sugestões', other: 'Pronto, com # sugestões' }),
  notReady: 'Algo precisa da sua atenção',
  needsApproval: (name: string) => `${name} precisa da sua aprovação`,
  review: 'Revisar',
  show: 'Mostrar',
  dismiss: 'Dispensar',
  crashed: 'O programa falhou ou foi encerrado à força. O fim do log foi guardado.',
  readError: (what: string) => `Não foi possível carregar esta lista: ${what}`,
}
