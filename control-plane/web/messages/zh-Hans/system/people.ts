// The words of People and keys, in Chinese.
import { plural } from '../language.ts'

export const strings = {
  invite: '邀请使用者',
  createKey: '创建密钥',
  tabs: { all: '全部', person: '使用者', program: '程序', ended: '已结束' },
  columns: { name: '名称', used: '本月用量', may: '权限', last: '上次使用', ends: '结束' },
  you: '本人',
  owner: '工作室的所有者',
  kinds: { person: '使用者', program: '程序' },
  keyCount: (count: number) => plural(count, { other: '# 个密钥' }),
  none: '无。',
  usageFile: '用量 CSV',

  hours: (count: string) => `${count} 小时`,
  ofLimit: (used: string, limit: string) => `${used} / ${limit}`,
  unlimited: (used: string) => `${used}，无限制`,
  nothing: '—',
  never: '永不',

  for: '用于',
  roleHints: {
    listen: '播放和下载资料库中的内容',
    create: '朗读、转写、配音。只能看到自己的作品，无法更改设置',
    operate: '密钥以外的一切：机器、模型、设置',
    own: '一切，包括密钥和所有人的作品',
  },
  on: '机器',
  sound: '每天的音频',
  gpu: '每月的 GPU 时间',
  tasks: '同时任务数',
  disk: '磁盘',
  noLimit: '无限制',
  inDays: (days: number) => plural(days, { other: '# 天后' }),
  once: '密钥只显示一次。',
  onlyHere: '此地址仅在本机有效。',
  invitation: (address: string, key: string) => `打开 ${address}，并用此密钥登录：\n${key}`,

  keys: '密钥',
  firstKey: '密钥',
  created: '创建',
  fact: (name: string, value: string) => `${name}：${value}`,
  replace: '替换',
  oldEnds: '旧密钥结束',
  /** By seconds. */
  oldEndings: { 0: '立即', 86400: '24 小时后', 604800: '7 天后' },
  endKeyYes: '结束密钥',
  taskCount: (count: number) => plural(count, { other: '# 个任务' }),
  ofSound: (time: string) => `音频 ${time}`,
  ofGpu: (time: string) => `GPU ${time}`,
  endText: '登录会立即结束。已创建的内容会保留。',
  endYes: '结束访问',
}
