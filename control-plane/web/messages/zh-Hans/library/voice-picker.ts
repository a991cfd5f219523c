// The words of the list from which a voice is chosen, in Simplified Chinese.
import { plural } from '../language.ts'

export const strings = {
  find: '查找音色',
  results: '音色',
  byDefault: '默认',
  language: '语言',
  allLanguages: '所有语言',
  showAll: '显示全部',
  showAllOf: (group: string) => `显示“${group}”的全部音色`,
  nothing: '没有这个名称的音色。',
  nothingHere: '没有会说此语言的音色。',
  found: (count: number) => plural(count, { other: '# 个音色' }),
  /** Sample of a built-in voice of this language. */
  spoken: '晚上好。塔上的灯亮了，最后一艘船已经回港。',
  newVoice: '新建音色…',
  keys: { play: '播放', choose: '选择' },
  spaceKey: '空格键',
  keyHelp: '按方向键移动，按空格键播放样音，按 Enter 键选择，按 Esc 键关闭。',
  playing: (name: string) => `正在播放“${name}”的样音。`,
}
