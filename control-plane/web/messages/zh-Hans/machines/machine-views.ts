// The words of the views and dialogs that the Machines page opens, in Simplified Chinese.
import { grouped } from '../language.ts'
import { strings as shared } from '../shared.ts'

const routing = {
  title: '运行位置',
  target: '运行任务的机器',
  automatic: '自动（最快）',
  unavailable: (name: string, why: string) => `${name}（${why}）`,
  showFor: '任务类型',
  runningOn: (name: string) => `运行位置：${name}`,
  fastest: '最快的机器',
  thisMachine: '本机',
  saved: '已保存。',
  where: '当前的运行位置',
  operations: [
    ['', '所有任务'],
    ['tts', '语音'],
    ['audiobook', '有声书'],
    ['dub', '配音'],
    ['clone', '音色克隆'],
    ['asr', '转写'],
    ['dictation', '听写'],
    ['diarize', '说话人区分'],
    ['identify', '语言检测'],
    ['translate', '翻译'],
  ] as [string, string][],
}

const security = {
  title: '证书颁发机构',
  intro: '它为所有机器的证书签名，机器凭证书证明身份。机器加入时会显示指纹，请与此处的指纹核对。',
  fingerprint: '指纹',
  next: '下一个',
  previous: '上一个',
  validUntil: '有效期至',
  phases: { steady: '使用中', prepared: '已准备替换', activated: '替换已启用' },
  behind: '仍使用上一个证书',
  mustJoinAgain: '必须重新加入',
  replace: '替换颁发机构',
  steps: {
    prepare: '密钥可能已泄露或即将到期时，请替换它。第 1 步创建下一个颁发机构，并告知所有机器。',
    activate: '第 2 步用下一个颁发机构签发新证书。较早的加入码和证书仍然有效。',
    retire: '第 3 步停用上一个颁发机构。需等到所有机器都有新证书后才能进行。',
  },
  actions: { prepare: '准备下一个', activate: '启用下一个', retire: '停用上一个…' },
  done: {
    prepare: '下一个颁发机构已准备就绪。',
    activate: '下一个颁发机构已启用。',
    retire: '上一个颁发机构已停用。',
  },
  retireTitle: '停用上一个颁发机构？',
  retireYes: '停用',
  retireWarning: '上一个颁发机构的证书和加入码将失效。此操作无法撤销。',
}

const dialogs = {
  approveTitle: '批准此机器？',
  approveBefore: '批准 ',
  approveAfter: ' 之后，工作室会向它发送任务所需的内容：',
  sent: [
    ['文本', '：需要朗读或翻译的内容；'],
    ['音频', '：需要转写或处理的内容；'],
    ['音色', '：所用音色的样音和描述。'],
  ],
  destinationBefore: '数据发送到：',
  destinationKey: '，机器密钥：',
  destinationAfter: '。连接已加密。',
  unknownAddress: '地址在连接后才能确定',
  approveWarning: '该机器的所有者可以阅读、收听并留存这些内容。',
  approveAdvice: '只有在信任其所有者处理这些数据时，才应批准该机器。',
  approveNote: '批准可随时撤回。撤回后，其任务会停止，那里的数据会被删除，但所有者此前制作的副本仍在其手中。',
  notNow: '暂不',
  approve: '批准',
  useQuestion: '如何使用这台机器？',
  uses: { automatic: '自动使用', chosen: '仅在选择时使用' },
  useHints: {
    automatic: '任务会在能最先完成它的机器上运行：本机或任意已批准的机器。',
    chosen: '目前没有变化。需要使用时，请在“运行任务的机器”中选择它。',
  },
  endsAutomatic: '此后任务在本机上运行，直到在“运行任务的机器”中选择其他机器。',
  approved: (name: string, use: 'automatic' | 'chosen') =>
    use === 'automatic' ? `${name} 已获批准，会自动接收任务。` : `${name} 已获批准。需要使用时请选择它。`,

  changeTitle: '重命名或设置优先级',
  name: '名称',
  nameHint: '最多 120 个字符。留空则显示密钥。',
  priority: '优先级，0 至 100',
  priorityHint: '两台机器会同时完成时，优先级较高的机器获得任务。默认值为 50。',
  saved: '已保存。',

  withdrawTitle: '撤回批准？',
  withdraw: '撤回',
  withdrawBefore: '工作室将停止向 ',
  withdrawAfter: ' 发送数据。其任务会停止，那里的数据会被删除，任务改在其他机器上运行。',
  withdrawn: '批准已撤回。',

  releaseTitle: '解除此机器的隔离？',
  release: '解除隔离',
  quarantined: ' 已被隔离：',
  alreadyReleased: '隔离已解除。',
  releaseWarning: '只有确定仅一台机器拥有其密钥时，才应解除隔离。之后使用该密钥的下一台机器会被接受。',
  released: '该机器的隔离已解除。',

  removeTitle: '移除此机器？',
  remove: shared.remove,
  removeBefore: '',
  removeAfter: ' 的密钥会被吊销，该机器会断开连接。其任务改在其他机器上运行。',
  removeWarning: '它无法再用此密钥连接。要再次使用它，请用新的加入码添加。',
  removed: '机器已移除。',

  logTitle: '此机器的日志',
  logNote: '：最新的若干行，按时间从早到晚排列。密钥等机密和任务文本已略去。',
  logLines: '日志内容',
  logEmpty: '日志为空。',
  refresh: '刷新',

  goneTitle: '此机器已不存在',
  gone: '它已被移除，或远程机器已停用。',
}

/** A pool beside the table, and in the question before its approval. */
const pool = {
  notKnown: '未知',
  readsNot: '运营方称不阅读任何内容',
  keepsNothing: '运营方称任务结束后不留存',
  operator: '运营方',
  location: '所在地',
  canDo: '可执行',
  canRead: '可阅读',
  keeps: '留存',
  reads: '发送的文本、样本和声音',
  declared: '以上由运营方声明，工作室无法核实。',
  share: '本工作室的份额',
  atOnce: '同时运行',
  wait: '通常等待',
  slots: '名额',
  you: (count: number) => `本工作室 ${grouped(count)}`,
  others: (count: number) => `其他 ${grouped(count)}`,
  free: (count: number) => `空闲 ${grouped(count)}`,
  studios: (count: number) => `使用中的工作室：${grouped(count)}`,
  older: (count: number) => `较旧版本：${grouped(count)}`,
}

export const strings = { routing, security, dialogs, pool }
