// The words of the views and dialogs that the Machines page opens, in Brazilian Portuguese.
import { grouped } from '../language.ts'
import { strings as shared } from '../shared.ts'

const routing = {
  title: 'Roda em',
  target: 'Rodar trabalhos em',
  automatic: 'Automático (mais rápido)',
  unavailable: (name: string, why: string) => `${name} (${why})`,
  showFor: 'Mostrar roteamento de',
  runningOn: (name: string) => `Rodando em: ${name}`,
  fastest: 'a máquina mais rápida',
  thisMachine: 'esta máquina',
  saved: 'Salvo.',
  where: 'Para onde o trabalho vai agora',
  operations: [
    ['', 'Qualquer coisa'],
    ['tts', 'Locução'],
    ['audiobook', 'Audiolivros'],
    ['dub', 'Dublagem'],
    ['clone', 'Clonagem de voz'],
    ['asr', 'Transcrição'],
    ['dictation', 'Ditado'],
    ['diarize', 'Detecção de falantes'],
    ['identify', 'Detecção de idioma'],
    ['translate', 'Tradução'],
  ] as [string, string][],
}

const security = {
  title: 'Autoridade certificadora',
  intro:
    'Ela assina os certificados de todas as máquinas, que provam a identidade de cada uma. Compare a impressão digital dela com a que uma máquina mostra ao entrar.',
  fingerprint: 'Impressão digital',
  next: 'Próxima',
  previous: 'Anterior',
  validUntil: 'Válida até',
  phases: { steady: 'Em uso', prepared: 'Substituição preparada', activated: 'Substituição em uso' },
  behind: 'Ainda usam o certificado anterior',
  mustJoinAgain: 'Precisam entrar de novo',
  replace: 'Substituir a autoridade',
  steps: {
    prepare:
      'Substitua quando a chave dela puder ter sido exposta ou quando estiver perto de expirar. O passo 1 cria a próxima; todas as máquinas ficam sabendo dela.',
    activate: 'O passo 2 usa a próxima para os novos certificados. Códigos e certificados antigos continuam válidos.',
    retire: 'O passo 3 encerra a anterior. Ele espera até que todas as máquinas tenham um novo certificado.',
  },
  actions: { prepare: 'Preparar a próxima', activate: 'Usar a próxima', retire: 'Encerrar a anterior…' },
  done: {
    prepare: 'A próxima autoridade está preparada.',
    activate: 'A próxima autoridade está em uso.',
    retire: 'A autoridade anterior foi encerrada.',
  },
  retireTitle: 'Encerrar a autoridade anterior?',
  retireYes: 'Encerrar',
  retireWarning: 'Os certificados e códigos da autoridade anterior deixam de funcionar. Não é possível desfazer.',
}

const dialogs = {
  approveTitle: 'Aprovar esta máquina?',
  approveBefore: 'Se você aprovar ',
  approveAfter: ', o estúdio envia a ela o que as tarefas exigem:',
  sent: [
    ['textos', ' a serem falados ou traduzidos,'],
    ['áudio', ' a ser transcrito ou processado,'],
    ['vozes', ' que são usadas: suas amostras e descrições.'],
  ],
  destinationBefore: 'Os dados vão para ',
  destinationKey: ', para a máquina com a chave ',
  destinationAfter: '. A conexão é criptografada.',
  unknownAddress: 'um endereço que será conhecido quando ela se conectar',
  approveWarning: 'A pessoa responsável por essa máquina pode ler, ouvir e guardar esses dados.',
  approveAdvice: ' Aprove uma máquina só se você confia seus dados a essa pessoa.',
  approveNote:
    'Você pode retirar a aprovação a qualquer momento. As tarefas dela são então interrompidas e os dados são excluídos de lá, mas as cópias que a pessoa tiver feito antes ficam com ela.',
  notNow: 'Agora não',
  approve: 'Aprovar',
  useQuestion: 'Como ela será usada?',
  uses: { automatic: 'Automaticamente', chosen: 'Só quando escolhida' },
  useHints: {
    automatic: 'O trabalho roda na máquina que o termina primeiro: esta ou qualquer outra que você aprovou.',
    chosen: 'Nada muda agora. Escolha-a em “Rodar trabalhos em” quando quiser usá-la.',
  },
  endsAutomatic: 'O trabalho passa a rodar nesta máquina até você escolher outra em “Rodar trabalhos em”.',
  approved: (name: string, use: 'automatic' | 'chosen') =>
    use === 'automatic'
      ? `${name} foi aprovada e recebe trabalho automaticamente.`
      : `${name} foi aprovada. Escolha-a quando quiser usá-la.`,

  changeTitle: 'Renomear ou definir prioridade',
  name: 'Nome',
  nameHint: 'No máximo 120 caracteres. Se ficar vazio, a chave é mostrada no lugar.',
  priority: 'Prioridade, de 0 a 100',
  priorityHint: 'Quando duas máquinas terminariam ao mesmo tempo, a de maior prioridade recebe o trabalho. O padrão é 50.',
  saved: 'Salvo.',

  withdrawTitle: 'Retirar a aprovação?',
  withdraw: 'Retirar',
  withdrawBefore: 'O estúdio deixa de enviar dados para ',
  withdrawAfter: '. As tarefas dela são interrompidas, os dados são excluídos de lá e elas rodam em outro lugar.',
  withdrawn: 'A aprovação foi retirada.',

  releaseTitle: 'Liberar esta máquina?',
  release: 'Liberar',
  quarantined: ' está em quarentena:',
  alreadyReleased: 'Ela já foi liberada.',
  releaseWarning:
    'Libere só quando tiver certeza de que uma única máquina tem a chave dela. A próxima máquina que usar a chave será aceita.',
  released: 'A máquina foi liberada.',

  removeTitle: 'Remover esta máquina?',
  remove: shared.remove,
  removeBefore: 'A chave de ',
  removeAfter: ' é revogada e a máquina é desconectada. As tarefas dela rodam em outro lugar.',
  removeWarning: 'Ela não pode voltar com esta chave. Para usá-la de novo, adicione-a com um novo código.',
  removed: 'A máquina foi removida.',

  logTitle: 'Log desta máquina',
  logNote: ': linhas mais recentes, da mais antiga para a mais nova. Segredos e textos das tarefas são omitidos.',
  logLines: 'Linhas do log',
  logEmpty: 'O log está vazio.',
  refresh: 'Atualizar',

  goneTitle: 'Esta máquina não existe mais',
  gone: 'Ela foi removida ou as máquinas remotas foram desativadas.',
}

/** A pool beside the table, and in the question before its approval. */
const pool = {
  notKnown: 'Não se sabe',
  readsNot: 'Nada, segundo a operação',
  keepsNothing: 'Nada depois de um trabalho, segundo a operação',
  operator: 'Operação',
  location: 'Local',
  canDo: 'Pode fazer',
  canRead: 'Pode ler',
  keeps: 'Guarda',
  reads: 'Textos, amostras e áudio que você envia',
  declared: 'É o que a operação declara. O estúdio não tem como verificar.',
  share: 'Sua parte',
  atOnce: 'Ao mesmo tempo',
  wait: 'Espera habitual',
  slots: 'Vagas',
  you: (count: number) => `Você ${grouped(count)}`,
  others: (count: number) => `Outros ${grouped(count)}`,
  free: (count: number) => `Livres ${grouped(count)}`,
  studios: (count: number) => `Estúdios ativos: ${grouped(count)}`,
  older: (count: number) => `Versões anteriores: ${grouped(count)}`,
}

export const strings = { routing, security, dialogs, pool }
