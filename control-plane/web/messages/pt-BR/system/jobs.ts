// The words of the Jobs page, in Brazilian Portuguese.
import { strings as frame } from '../frame.ts'
import { grouped, plural } from '../language.ts'

const tasks = (count: number) => plural(count, { one: '# trabalho', many: '# de trabalhos', other: '# trabalhos' })

export const strings = {
  tasks: 'Trabalhos',
  work: 'Nas máquinas',
  views: 'Visualizações',
  statuses: {
    all: 'Todos',
    active: 'Ativos',
    done: 'Concluídos',
    failed: 'Não terminados',
    cancelled: 'Cancelados',
  } satisfies Readonly<Record<string, string>>,
  jobStates: {
    pending: 'Aguardando',
    running: 'Em andamento',
    done: 'Concluído',
    failed: 'Não terminou',
    cancelled: 'Cancelado',
  },
  jobColumns: { job: 'Trabalho', state: 'Estado', progress: 'Progresso', when: 'Quando' },
  jobKind: frame.kind,
  kind: 'Tipo',
  allKinds: 'Todos os tipos',
  findJob: 'Buscar um trabalho',
  found: (count: number) => tasks(count),
  showAll: 'Mostrar todos os trabalhos',
  noJobs: 'Nada em andamento. O que você criar aparece aqui.',
  noReason: 'Terminou sem informar o motivo.',
  took: (time: string) => `Levou ${time}`,
  step: (at: number, of: number) => `Etapa ${at} de ${of}`,
  backToJobs: 'Todos os trabalhos',
  openResult: 'Abrir',
  copyDetails: 'Copiar detalhes',
  copied: 'Detalhes copiados.',
  times: 'Horários',
  begun: 'Início',
  endedAt: 'Fim',
  events: (count: number) => `Eventos mais recentes (${count})`,
  show: 'Mostrar',
  groups: {
    all: 'Todos',
    waiting: 'Aguardando',
    running: 'Em andamento',
    done: 'Concluídos',
    failed: 'Com falha ou cancelados',
  },
  find: 'Buscar',
  findExample: 'Motor, máquina, erro, id',
  status: (waiting: number, count: string) => `Aguardando: ${waiting}. ${count}`,
  count: (count: number, isSearch: boolean, isComplete: boolean) =>
    `${
      isSearch
        ? plural(count, { one: '# trabalho encontrado', many: '# de trabalhos encontrados', other: '# trabalhos encontrados' })
        : tasks(count)
    }${isComplete ? '.' : ', além de outros mais antigos.'}`,
  none: 'Nenhum trabalho ainda. O que você criar aparece aqui.',
  noneFound: 'Nenhum trabalho corresponde.',
  showOlder: 'Mostrar trabalhos mais antigos',
  searchOlder: 'Buscar trabalhos mais antigos',
  refusedBefore: 'Esta página não consegue acompanhar as mudanças: ',
  refusedAfter: ' Ela se atualiza de vez em quando e tenta de novo sozinha.',
  readError: 'Não foi possível carregar os trabalhos: ',

  states: {
    queued: 'Aguardando',
    assigned: 'Oferecido a uma máquina',
    accepted: 'Aceito',
    model_loading: 'Carregando o modelo',
    running: 'Em andamento',
    result_uploading: 'Entregando',
    completed: 'Concluído',
    failed: 'Falhou',
    timeout: 'Tempo esgotado',
    cancelled: 'Cancelado',
  },
  attemptStates: {
    assigned: 'oferecida',
    accepted: 'aceita',
    running: 'em andamento',
    uploading: 'entregando',
    committed: 'concluída',
    rejected: 'recusada',
    failed: 'falhou',
    timed_out: 'tempo esgotado',
    cancelled: 'cancelada',
    lost: 'conexão perdida',
  } satisfies Readonly<Record<string, string>>,
  operations: {
    ...{ tts: 'Locução', asr: 'Transcrição', translate: 'Tradução', separate: 'Separação de vozes', denoise: 'Remoção de ruído' },
    ...{ vad: 'Detecção de fala', align: 'Tempos das palavras', diarize: 'Detecção de falantes', identify: 'Detecção de idioma' },
    ...{ verify: 'Verificação de um modelo', probe: 'Sondagem' },
  } satisfies Readonly<Record<string, string>>,
  title: (operation: string, engine: string, model: string) => `${operation} com ${engine}${model && ` (${model})`}`,
  lowPriority: 'Baixa prioridade',
  cancelTask: (title: string, started: string) => `Cancelar ${title}, início ${started}`,
  cancelTitle: 'Cancelar este trabalho?',
  cancelAction: 'Cancelar trabalho',
  cancelKeep: 'Continuar',
  cancelWarning: 'O que ele gerou até agora será descartado.',
  cancelling: 'Cancelando o trabalho.',
  thisMachine: 'esta máquina',
  on: (machine: string) => `em ${machine}`,
  progress: (title: string, percent: string) => `${title}: ${percent}`,
  ended: (finished: string, took: string) => `${finished}, levou ${took}`,
  unknownEnd: 'Tempo restante desconhecido',
  almostDone: 'Quase pronto',
  timeLeft: (time: string) => `Restante: ${time}`,
  waitingBecause: 'Por que está aguardando:',
  aboutToStart: 'Será oferecido a uma máquina em instantes.',
  /** `more`: machines that are not named; none below 1 */
  because: (machines: string, more: number, reason: string) => `${machines}${more > 0 ? ` e mais ${grouped(more)}` : ''}: ${reason}`,

  attempts: (count: number, limit: number, failed: number) =>
    `Tentativa ${count} de ${limit}${failed > 0 ? `, ${plural(failed, { one: '# falhou', many: '# falharam', other: '# falharam' })}` : ''}`,
  taskId: 'Tarefa ',
  reached: (percent: string) => ` em ${percent}`,
  details: 'Detalhes',
  errorCode: (code: string, kind: string) => `${code}, classe ${kind}`,
  retryable: 'Uma nova tentativa pode dar certo.',
  final: 'Uma nova tentativa não vai ajudar.',
  whatToDo: (hint: string) => `O que fazer: ${hint}`,

  activity: 'Atividade',
  finishedPerMinute: 'concluídos por minuto',
  finished: 'concluídos',
  time: 'Hora',
  peakWaiting: 'pico de espera',
  summary: (minutes: number, done: number, failed: number, waiting: number) => {
    const span = plural(minutes, { one: 'Último minuto', many: 'Últimos # de minutos', other: 'Últimos # minutos' })
    const ended = plural(done, { one: '# concluído', many: '# de concluídos', other: '# concluídos' })
    const lost = plural(failed, { one: '# com falha ou cancelado', many: '# com falha ou cancelados', other: '# com falha ou cancelados' })
    return `${span}: ${ended}, ${lost}, no máximo ${grouped(waiting)} em espera.`
  },
  asTable: 'Mostrar como tabela',
  table: 'Atividade em tabela',
  columns: ['Minuto', 'Concluídos', 'Com falha ou cancelados', 'Pico de espera'],
}
