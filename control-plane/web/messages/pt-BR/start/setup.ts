// The words of the Setup page, and of the hardware, the room and the downloads of models on other pages, in Brazilian Portuguese.

import { decimal, list, plural } from '../language.ts'

const figure = (value: number) => decimal(value, String(value).split('.')[1]?.length ?? 0)

export const strings = {
  title: 'Uma voz natural em três passos',
  lead: 'Você já pode falar com a voz básica. Tudo aqui pode esperar, e nada sai desta máquina.',
  machine: 'Esta máquina',
  speaking: 'Falando uma frase…',
  cardWorks: 'A placa de vídeo funciona',
  processorWorks: 'O processador funciona',
  notSpoken: 'Não foi possível falar',
  lookAgain: 'Verificar de novo',
  speed: (times: string) => `${times}× a velocidade da fala`,
  cardLater: 'Será testada com o primeiro modelo que a usar',
  noCard: 'Sem placa de vídeo',
  onProcessor: 'A voz é gerada no processador',
  coresAndMemory: (cores: number, memory: string) =>
    `${plural(cores, { one: '# núcleo', many: '# de núcleos', other: '# núcleos' })}, ${memory}`,
  free: (size: string) => `${size} livres`,
  forFiles: 'Para modelos e filmes',
  media: 'Filmes, MP3, M4B',
  noMedia: 'Só arquivos WAV',
  ffmpeg: 'ffmpeg',
  installFfmpeg: 'O estúdio não baixa programas. Instale o ffmpeg com o gerenciador de pacotes desta máquina e depois reinicie o estúdio.',
  restartForFfmpeg: 'O ffmpeg foi instalado depois que o estúdio iniciou. Reinicie o estúdio para usá-lo.',
  suggestions: (count: number) => plural(count, { one: '# sugestão', many: '# de sugestões', other: '# sugestões' }),
  checksFailed: (failed: number, all: number) => `Verificações com falha: ${failed} de ${all}.`,

  bundles: { gpu: 'O pacote natural', cpu: 'O pacote leve' },
  chosenFor: { gpu: 'Escolhido para esta placa de vídeo.', cpu: 'Não precisa de placa de vídeo.' },
  inBackground: 'É instalado em segundo plano.',
  about: (time: string, rate: string) => `Cerca de ${time} a ${rate}/s, em segundo plano.`,
  install: (size: string) => `Instalar ${size}`,
  again: (size: string) => `Tentar de novo, ${size}`,
  arrived: (done: string, all: string) => `${done} de ${all}`,
  left: (time: string) => `restante: ${time}`,
  progress: 'Download do pacote',
  allInstalled: 'Tudo está instalado.',
  nothingFits: 'Nenhum modelo deste pacote cabe nesta máquina.',
  or: 'Ou',
  other: (name: string, size: string) => `${name}, ${size}`,
  choose: 'Escolher por conta própria',
  borrow: 'Pegar uma máquina emprestada…',
  offline: 'O servidor de modelos não responde, por isso nada pode ser instalado agora.',

  hear: 'Ouvir a voz',
  text: 'Frase',
  voice: 'Voz',
  defaultVoice: 'Voz padrão',
  speak: 'Falar',
  sample: 'O porto estava quieto às cinco.',
  stays: 'Instalação continua disponível na busca e em Configurações.',

  otherPlatform: (platforms: readonly string[]) => `Só roda em ${list(platforms)}.`,
  unsupported: 'O motor dele não roda nesta máquina ou o agente tem outra versão.',
  diskTooSmall: (needed: string, free: string) => `Requer ${needed}\u00a0GB e há ${free}\u00a0GB livres. Libere espaço em disco primeiro.`,
  diskReserve: (reserve: number) =>
    `Restariam menos de ${figure(reserve)}\u00a0GB livres em disco, por isso a instalação pode ser recusada.`,
  memoryTooSmall: (memory: string) => `Requer mais memória do que esta máquina tem (${memory}).`,
  starting: 'Iniciando…',
  planning: 'Lendo a lista de arquivos…',
  retrying: (attempt: number, error: string) => `A tentativa ${attempt} falhou: ${error}. Tentando de novo.`,
}
