// The words of the Files page, in Simplified Chinese.
import { plural } from '../language.ts'

export const strings = {
  find: '查找文件',
  kind: '类型',
  all: '全部',
  kinds: { take: '语音', book: '有声书', dub: '配音', transcript: '文字稿' },
  columns: { name: '名称', kind: '类型', voice: '音色', length: '时长', size: '大小', made: '生成时间', actions: '操作' },
  removed: '已移除',
  none: '还没有文件。语音、完成的书籍、配音和文字稿会显示在这里。',
  noneFound: '没有匹配的文件。',
  showAll: '清除筛选',
  foundSoFar: (count: number) => plural(count, { other: '目前 # 个文件' }),
  found: (count: number) => plural(count, { other: '# 个文件' }),
  more: (count: number) => `再显示 ${count} 个`,
  chapters: (chapters: number) => plural(chapters, { other: '# 章' }),
  downloadOf: (name: string) => `下载“${name}”`,
  deleteOf: (name: string) => `删除“${name}”`,
  deleteTitle: (name: string) => `删除“${name}”？`,
  deleteHints: {
    book: '此书及其文件都会被删除。此操作无法撤销。',
    dub: '此配音及其影片、台词和配音轨都会被删除。此操作无法撤销。',
  },
  deleteYes: '删除',
  keep: '保留',
  deleted: '已删除。',
}
