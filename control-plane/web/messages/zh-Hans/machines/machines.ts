// The words of the Machines page, the table and the machine beside it, in Simplified Chinese.
import { grouped, plural } from '../language.ts'
import { strings as shared } from '../shared.ts'

const tasks = (count: number) => plural(count, { other: '# 个任务' })

const machines = (online: number, all: number) => {
  if (all === 0) return '还没有其他机器'
  if (all === 1) return online === 1 ? '1 台机器，在线' : '1 台机器，离线'
  if (online === 0) return `全部 ${grouped(all)} 台机器离线`
  return online === all ? `全部 ${grouped(all)} 台机器在线` : `${grouped(all)} 台机器中有 ${grouped(online)} 台在线`
}

const page = {
  machines: '机器',
  views: '视图',
  tabs: { '': '借用', shared: '我的共享', routing: '任务分配', security: '安全' },
  remote: (isOn: boolean) => `远程机器：${isOn ? '已启用' : '已停用'}`,
  turnOn: '启用远程机器',
  turnOff: '停用…',
  turnOffTitle: '停用远程机器？',
  turnOffYes: '停用',
  turnOffWarning: '所有机器会断开连接，端口会关闭，其任务会停止。机器仍保持已加入状态，重新启用后会恢复连接。',
  turnedOn: '远程机器已启用。',
  turnedOff: '远程机器已停用。',
  offNote: '停用期间，所有任务都在本机上运行，其他机器无法加入。',
  startError: (reason: string) => `无法启用远程机器：${reason}`,
  joinAt: '加入地址：',
  counts: (online: number, all: number, running: number, waiting: number) =>
    [machines(online, all), running > 0 && `${tasks(running)}运行中`, waiting > 0 && `${tasks(waiting)}等待中`].filter(Boolean).join(' · '),
  add: '添加机器…',
  connect: '用字符串连接…',
  routingNote: '“运行位置：自动”会选择能最先完成的机器。',
  routingLink: '查看各类任务的运行位置',
}

const list = {
  find: '查找机器',
  findExample: '名称、设备、地址',
  state: '状态',
  all: (count: number) => `全部（${grouped(count)}）`,
  stateCount: (state: string, count: number) => `${state}（${grouped(count)}）`,
  shown: (found: number, all: number) => (found === all ? plural(all, { other: '# 台机器' }) : `${grouped(found)}/${grouped(all)} 台机器`),
  showAll: '全部显示',
  empty: '目前只有本机。添加带 GPU 的机器可加快语音生成。',
  noneFound: '没有匹配的机器。',
}

const states = {
  ready: '就绪',
  busy: '忙碌',
  draining: '收尾中',
  paused: '已暂停',
  unapproved: '待批准',
  off: '已停用',
  offline: '离线',
  unresponsive: '无响应',
  quarantined: '已隔离',
}

const table = {
  pool: (count: number) => plural(count, { other: '# 台机器的机器池' }),
  columns: {
    machine: '机器',
    state: '状态',
    use: '用于任务',
    memory: '显存',
    loaded: '已加载',
    latency: '延迟',
    actions: '操作',
  },
  none: '—',
  working: (count: number) => `正在运行 ${tasks(count)}`,
  memoryUse: (used: string, all: string) => `${used}，共 ${all}`,
  memoryOf: (use: string) => `显存：${use}`,
  noGpu: '无 GPU',
  loaded: (names: string, more: number) => (more > 0 ? `${names} +${more}` : names),
}

const use = {
  names: { preferred: '优先', automatic: '自动', low: '低优先级', never: '从不' },
  other: (priority: string) => `优先级 ${priority}`,
  label: (name: string) => `用于任务：${name}`,
  notYet: '尚未发送任何内容',
  saved: (name: string) => `已保存 ${name} 的设置。`,
}

const card = {
  states,
  back: '所有机器',
  facts: '详细信息',
  address: '地址',
  key: '密钥',
  reasonsLabel: '未获得任务的原因',
  device: '设备',
  memory: '内存',
  system: '系统',
  version: 'Voice Studio 版本',
  outdated: (version: string) => `${version}，比此工作室旧。请在那台机器上更新。`,
  models: '已加载的模型',
  none: '无',
  runsNow: '正在运行',
  idle: '空闲',
  latency: '延迟',
  ms: (ms: number) => `${ms} 毫秒`,
  lastSeen: '上次在线',
  now: '现在',
  priority: '优先级',
  priorityOf: (priority: number) => (priority === 50 ? '普通' : `${priority > 50 ? '高' : '低'}（${priority}）`),
  unknown: '未知',
  cpuOnly: (count: number) => plural(count, { other: 'CPU，# 核，无 GPU' }),
  gpu: (model: string, backend: string) => `${model} (${backend})`,
  unusableGpu: (model: string, reason: string) => `${model}（存在但无法使用，原因：${reason}）`,
  gpuMemory: (free: string, all: string) => `可用显存 ${free}，共 ${all}`,
  systemMemory: (size: string) => `${size} 内存`,
  work: (engine: string, operation: string, stage: string) => `${work[operation] ?? operation}，使用 ${engine}，${stage}`,
  stages: { assigned: '已提供', accepted: '已接受', model_loading: '正在加载模型', result_uploading: '正在传送' },

  resume: '恢复',
  approve: '批准',
  release: '解除隔离',
  log: '日志',
  takeWork: '恢复接收任务',
  turnOn: '启用',
  turnOff: '停用',
  menu: '更多操作',
  rename: '重命名或设置优先级',
  drain: '停止接收任务',
  drainHint: '停止接收任务：完成现有任务，不再接收新任务。',
  withdraw: '撤回批准',
  remove: shared.remove,
  actionFor: (action: string, name: string) => `${action}：${name}`,
  resumed: (name: string) => `${name} 已恢复接收任务。`,
  notResumed: (name: string, why: string) => `${name} 仍未获得任务。${why}`,
  draining: (name: string) => `${name} 会完成现有任务，不再接收新任务。`,
  turnedOn: (name: string) => `${name} 已启用。`,
  turnedOff: (name: string) => `${name} 已停用。`,
}

const reasons = {
  quarantined: (why: string) => `已隔离：${why}。解除隔离之前，不会向它发送任何内容。`,
  unapproved: '批准之前，不会向它发送任何内容。',
  /** Differences from what was approved. */
  lapsed: {
    pool: '它现在是机器池。',
    machine: '它不再是机器池。',
    operator: (name: string) => `运营方现为 ${name}。`,
    places: (names: string) => `其机器现位于 ${names}。`,
    reads: '运营方现在可以阅读发送的内容。',
    readsNot: '运营方声明不再阅读发送的内容。',
  },
  off: '它已被停用，任务会交给其他机器。',
  notReached: (why: string) => `未连接。${why || '工作室会继续尝试连接。'}`,
  neverConnected: (name: string) => `${name} 尚未连接过。其所有者可在该机器上启动 Voice Studio。`,
  offline: (name: string) => `${name} 已关机或未连接。其所有者可在该机器上启动 Voice Studio。`,
  unresponsive: '它已连接，但没有响应。请查看其日志。',
  drained: (count: number) => (count > 0 ? `收尾中：正在完成 ${tasks(count)}，不再接收新任务。` : '已停止接收任务。'),
  ending: (count: number) => `其所有者正在关闭它：${count > 0 ? `正在完成 ${tasks(count)}，` : ''}不再接收新任务。`,
  breaker: (model: string, summary: string) => `${model}：${summary}。`,
  lastConnected: (ago: string) => `上次连接：${ago}。`,
  nextTry: (time: string) => `${time}后再次尝试。`,
  nextTrySoon: '即将再次尝试。',
  allSlots: '所有槽位均已占用。',
  waits: (count: number, why: string) => `${tasks(count)}无法在此运行：${why}。`,
  /** Reasons of the scheduler that need more context here. */
}

const work: Readonly<Record<string, string>> = {
  tts: '语音',
  asr: '转写',
  clean: '降噪',
  translate: '翻译',
  separate: '人声分离',
}

export const strings = { page, list, table, use, card, reasons }
