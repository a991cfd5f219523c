// The words of the Machines page, in Japanese: the table and the machine beside it.
import { grouped, plural } from '../language.ts'
import { strings as shared } from '../shared.ts'

const tasks = (count: number) => plural(count, { other: 'タスク#件' })

const machines = (online: number, all: number) => {
  if (all === 0) return 'ほかのマシンはまだありません'
  if (all === 1) return online === 1 ? 'マシン1台、オンライン' : 'マシン1台、オフライン'
  if (online === 0) return `マシン${grouped(all)}台すべてオフライン`
  return online === all ? `マシン${grouped(all)}台すべてオンライン` : `マシン${grouped(all)}台中${grouped(online)}台がオンライン`
}

const page = {
  machines: 'マシン',
  views: '表示',
  tabs: { '': '借用', shared: '共有', routing: '実行先', security: 'セキュリティ' },
  remote: (isOn: boolean) => `リモートマシン：${isOn ? 'オン' : 'オフ'}`,
  turnOn: 'リモートマシンをオンにする',
  turnOff: 'オフにする…',
  turnOffTitle: 'リモートマシンをオフにしますか？',
  turnOffYes: 'オフにする',
  turnOffWarning:
    'すべてのマシンが切断され、ポートが閉じられます。実行中のタスクは停止されます。マシンの登録は残り、再びオンにすると復帰します。',
  turnedOn: 'リモートマシンをオンにしました。',
  turnedOff: 'リモートマシンをオフにしました。',
  offNote: 'オフの間、すべての作業はこのマシンで行われ、ほかのマシンは参加できません。',
  startError: (reason: string) => `リモートマシンをオンにできませんでした：${reason}`,
  joinAt: '参加先：',
  counts: (online: number, all: number, running: number, waiting: number) =>
    [machines(online, all), running > 0 && `実行中${tasks(running)}`, waiting > 0 && `待機中${tasks(waiting)}`].filter(Boolean).join(' · '),
  add: 'マシンを追加…',
  connect: '接続文字列で接続…',
  routingNote: '「実行先：自動」では、最も早く完了できるマシンを選びます。',
  routingLink: '作業ごとの実行先を見る',
}

const list = {
  find: 'マシンを検索',
  findExample: '名前、デバイス、アドレス',
  state: '状態',
  all: (count: number) => `すべて（${grouped(count)}）`,
  stateCount: (state: string, count: number) => `${state}（${grouped(count)}）`,
  shown: (found: number, all: number) =>
    found === all ? plural(all, { other: 'マシン#台' }) : `マシン${grouped(all)}台中${grouped(found)}台`,
  showAll: 'すべて表示',
  empty: 'まだこのマシンだけです。GPU搭載のマシンを追加すると、音声合成が速くなります。',
  noneFound: '一致するマシンがありません。',
}

const states = {
  ready: '準備完了',
  busy: '使用中',
  draining: '受付停止中',
  paused: '一時停止中',
  unapproved: '要承認',
  off: 'オフ',
  offline: 'オフライン',
  unresponsive: '応答なし',
  quarantined: '隔離中',
}

const table = {
  pool: (count: number) => plural(count, { other: 'マシン#台のプール' }),
  columns: {
    machine: 'マシン',
    state: '状態',
    use: '作業への使用',
    memory: 'GPUメモリ',
    loaded: '読み込み済み',
    latency: '遅延',
    actions: '操作',
  },
  none: '—',
  working: (count: number) => `${tasks(count)}を実行中`,
  memoryUse: (used: string, all: string) => `${used} / ${all}`,
  memoryOf: (use: string) => `GPUメモリ：${use}`,
  noGpu: 'GPUなし',
  loaded: (names: string, more: number) => (more > 0 ? `${names} +${more}` : names),
}

const use = {
  names: { preferred: '優先', automatic: '自動', low: '低優先度', never: '使わない' },
  other: (priority: string) => `優先度${priority}`,
  label: (name: string) => `作業への使用：${name}`,
  notYet: 'まだ何も送信されません',
  saved: (name: string) => `${name}の設定を保存しました。`,
}

const card = {
  states,
  back: 'すべてのマシン',
  facts: '詳細',
  address: 'アドレス',
  key: 'キー',
  reasonsLabel: '作業が割り当てられない理由',
  device: 'デバイス',
  memory: 'メモリ',
  system: 'システム',
  version: 'Voice Studioのバージョン',
  outdated: (version: string) => `${version}。このスタジオより古いため、そのマシンで更新してください。`,
  models: '読み込み済みモデル',
  none: 'なし',
  runsNow: '実行中',
  idle: '待機中',
  latency: '遅延',
  ms: (ms: number) => `${ms}ミリ秒`,
  lastSeen: '最終接続',
  now: '現在',
  priority: '優先度',
  priorityOf: (priority: number) => (priority === 50 ? '標準' : `${priority > 50 ? '高' : '低'}（${priority}）`),
  unknown: '不明',
  cpuOnly: (count: number) => plural(count, { other: 'CPU、#コア、GPUなし' }),
  gpu: (model: string, backend: string) => `${model}（${backend}）`,
  unusableGpu: (model: string, reason: string) => `${model}（搭載済み、使用不可：${reason}）`,
  gpuMemory: (free: string, all: string) => `GPUメモリ${all}のうち空き${free}`,
  systemMemory: (size: string) => `メモリ${size}`,
  work: (engine: string, operation: string, stage: string) => `${work[operation] ?? operation}（${engine}）、${stage}`,
  stages: { assigned: '割り当て中', accepted: '受理済み', model_loading: 'モデルを読み込み中', result_uploading: '結果を送信中' },

  resume: '再開',
  approve: '承認',
  release: '隔離を解除',
  log: 'ログ',
  takeWork: '受付を再開',
  turnOn: 'オンにする',
  turnOff: 'オフにする',
  menu: 'その他の操作',
  rename: '名前と優先度を変更',
  drain: '受付を停止',
  drainHint: '受付を停止：実行中のタスクを終え、新しいタスクを受け付けません。',
  withdraw: '承認を取り消す',
  remove: shared.remove,
  actionFor: (action: string, name: string) => `${action}：${name}`,
  resumed: (name: string) => `${name}への割り当てを再開しました。`,
  notResumed: (name: string, why: string) => `${name}にはまだ作業が割り当てられません。${why}`,
  draining: (name: string) => `${name}は実行中のタスクを終え、新しいタスクを受け付けません。`,
  turnedOn: (name: string) => `${name}をオンにしました。`,
  turnedOff: (name: string) => `${name}をオフにしました。`,
}

const reasons = {
  quarantined: (why: string) => `隔離中：${why}。隔離を解除するまで、何も送信されません。`,
  unapproved: '承認するまで、何も送信されません。',
  /** Differences from what was approved. */
  lapsed: {
    pool: 'プールになりました。',
    machine: 'プールではなくなりました。',
    operator: (name: string) => `運営者が${name}に変わりました。`,
    places: (names: string) => `マシンの所在地が${names}に変わりました。`,
    reads: '運営者が送信内容を読めるようになりました。',
    readsNot: '運営者は送信内容をもう読まないと申告しています。',
  },
  off: 'オフにされています。作業はほかのマシンに割り当てられます。',
  notReached: (why: string) => `未接続。${why || 'スタジオは接続を試み続けています。'}`,
  neverConnected: (name: string) => `${name}はまだ接続したことがありません。所有者がそのマシンでVoice Studioを起動します。`,
  offline: (name: string) => `${name}は電源が切れているか、接続されていません。所有者がそのマシンでVoice Studioを起動します。`,
  unresponsive: '接続していますが、応答がありません。ログを確認してください。',
  drained: (count: number) =>
    count > 0 ? `受付停止中：残り${tasks(count)}を終え、新しいタスクは受け取りません。` : '受付停止：新しいタスクは受け取りません。',
  ending: (count: number) => `所有者が終了させています。${count > 0 ? `残り${tasks(count)}を終え、` : ''}新しいタスクは受け付けません。`,
  breaker: (model: string, summary: string) => `${model}：${summary}。`,
  lastConnected: (ago: string) => `最終接続：${ago}。`,
  nextTry: (time: string) => `次の試行は${time}後です。`,
  nextTrySoon: 'まもなく再試行します。',
  allSlots: 'すべての枠が使用中です。',
  waits: (count: number, why: string) => `${tasks(count)}をそこで実行できません：${why}。`,
  /** Reasons of the scheduler. */
}

const work: Readonly<Record<string, string>> = {
  tts: '音声合成',
  asr: '文字起こし',
  clean: 'ノイズ除去',
  translate: '翻訳',
  separate: '声の分離',
}

export const strings = { page, list, table, use, card, reasons }
