// The words about takes that Speak, Files, Settings and the palette share, in Simplified Chinese.
import { grouped, plural } from '../language.ts'

export const strings = {
  count: (takes: number) => grouped(takes),
  find: '在语音中查找',
  from: '显示的语音',
  all: '全部',
  starred: '已加星标',
  noneFound: '没有匹配的语音。',
  showAll: '清除筛选',
  more: '显示更多',
  deleteAll: '全部删除',
  deleteAllHint: '删除所有未加星标的语音',
  deleted: (name: string) => `已删除：${name}`,
  deletedAll: (count: number) => plural(count, { other: '已删除 # 条语音。' }),
  tooLate: '这些语音已无法恢复。删除的语音只能在一分钟内恢复。',
  downloadAs: '下载为…',
  downloadOf: (name: string) => `下载：${name}`,
  formats: {
    mp3: ['MP3', '随处可播'],
    wav: ['WAV', '原始音质'],
    m4a: ['M4A', '适用于手机和平板电脑'],
    flac: ['FLAC', '无损，体积减半'],
    opus: ['Opus', '体积最小'],
  },
  needsTools: '需要媒体工具。打开“初始设置”',
  /** `cap`: takes that are kept */
  nextRemoves: (count: number, cap: number) =>
    `保留 ${grouped(cap)} 条。${plural(count, { other: '生成下一条语音时，会移除最早的 # 条。' })}`,
  keeps: (cap: number) => `保留最新的 ${grouped(cap)} 条。`,
  keepsAll: '全部保留。',
  change: '更改',
  keptNow: (takes: number, starred: number) =>
    `${plural(takes, { other: '现有 # 条语音' })}${starred > 0 ? `，其中 ${grouped(starred)} 条已加星标` : ''}。`,
  compareTakes: '比较两条语音',
  compareOf: (name: string) => `比较：${name}`,
  compareWith: '请选择另一条语音进行比较。',
  compareEnd: '结束比较',
}
