// The cases of the robust normaliser of MOSS-TTS-Nano (tts_robust_normalizer_single_script.py, TEST_CASES): text, then the cleaned text.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cleanMossText } from '#agent/engine/tts/moss/text.ts'
import { ownCpuSeconds } from '#test/support/world/process.ts'

const CASES: readonly (readonly [string, string])[] = [
  [
    '2026 年 3 月 31 日，安全研究员 Chaofan Shou (@Fried_rice) 发现 Anthropic 的 npm 包中暴露了 .map 文件，',
    '2026年3月31日，安全研究员 Chaofan Shou (@Fried_rice) 发现 Anthropic 的 npm 包中暴露了 .map 文件，',
  ],
  ['别把 .env、.npmrc、.gitignore 提交上去。', '别把 .env、.npmrc、.gitignore 提交上去。'],
  ['请检查 bundle.min.js、package.json 和 processing_moss_tts.py。', '请检查 bundle.min.js、package.json 和 processing_moss_tts.py。'],
  ['index.d.ts 里也有同样的问题。', 'index.d.ts 里也有同样的问题。'],
  ['Bug 的讨论可以精确到 v2.3.1 (Build 15)。', 'Bug 的讨论可以精确到 v2.3.1 (Build 15)。'],
  ['3.0.0-rc.1 还不能上生产。', '3.0.0-rc.1 还不能上生产。'],
  ['fabric-api-0.91.3+1.20.2.jar 需要单独下载。', 'fabric-api-0.91.3+1.20.2.jar 需要单独下载。'],
  ['仓库地址是 https://github.com/instructkr/claude-code', '仓库地址是 https://github.com/instructkr/claude-code。'],
  ['联系邮箱：ops+tts@example.ai', '联系邮箱：ops+tts@example.ai。'],
  ['@Fried_rice 说这是 source map 暴露。', '@Fried_rice 说这是 source map 暴露。'],
  ['去 r/singularity 看讨论。', '去 r/singularity 看讨论。'],
  ['#张雪峰#张雪峰[话题]#张雪峰事件', '#张雪峰#张雪峰[话题]#张雪峰事件。'],
  ['关注@biscuit0228_并转发#thetime_tbs', '关注 @biscuit0228_ 并转发 #thetime_tbs。'],
  ['[S1]你好。[S2]收到。', '"S1"你好。"S2"收到。'],
  ['请模仿 {whisper} 的语气说“别出声”。', '请模仿 "whisper" 的语气说“别出声”。'],
  ['订单号：[AB-1234-XYZ]', '订单号："AB-1234-XYZ"。'],
  ['〖重磅〗《新品发布》——现在开始！', '"重磅"《新品发布》。现在开始！'],
  ['【公告】今天 20:00 维护——预计 30 分钟。', '"公告"今天20:00维护。预计30分钟。'],
  ['『特别提醒』「不要外传」', '"特别提醒""不要外传"。'],
  ['他说【重要通知】明天发布。', '他说"重要通知"明天发布。'],
  ['请求接入 -> 身份与策略判定 -> 域服务处理', '请求接入，身份与策略判定，域服务处理。'],
  ['A->B', 'A，B。'],
  ['配置中心→推理编排→运行时执行', '配置中心，推理编排，运行时执行。'],
  ['我喜欢《哈姆雷特》这本书。', '我喜欢《哈姆雷特》这本书。'],
  ['真的假的？？？！！！', '真的假的？！'],
  ['这个包把 app.js.map 也发上去了......太离谱了！！！', '这个包把 app.js.map 也发上去了。太离谱了！'],
  ['【系统提示】请模仿{sad}低沉语气，说“今天下雨了……”', '"系统提示"请模仿"sad"低沉语气，说“今天下雨了。”'],
  ['This   is   a   test.', 'This is a test.'],
  ['这 是　一 段  含有多种空白的文本。', '这是一段含有多种空白的文本。'],
  ['这是Anthropic的npm包', '这是 Anthropic 的 npm 包。'],
  ['今天update到v2.3.1了', '今天 update 到 v2.3.1 了。'],
  ['处理app.js.map文件', '处理 app.js.map 文件。'],
  ['foo_bar', 'foo bar。'],
  ['中文_ABC', '中文 ABC。'],
  ['关注@foo_bar', '关注 @foo_bar。'],
  ['详情见 [release note](https://github.com/example/release)', '详情见 release note https://github.com/example/release。'],
  ['# I made a free open source app to help with markdown files', 'I made a free open source app to help with markdown files。'],
  ['- 修复 .map 泄露\n- 发布 v2.3.1', '修复 .map 泄露。发布 v2.3.1。'],
  ['1. 安装依赖\n2. 运行测试\n3. 发布 v2.3.1', '安装依赖。运行测试。发布 v2.3.1。'],
  ['第一行\n第二行\n第三行', '第一行。第二行。第三行。'],
  ['今天发布', '今天发布。'],
  ['他说"你好"', '他说"你好"。'],
  ['今天发布。', '今天发布。'],
  ['第一行\n第二行。', '第一行。第二行。'],
  ['第一行\n\n第二行', '第一行。第二行。'],
  ['详见 https://x.com/\u200bSafety', '详见 https://x.com/Safety。'],
]

test('the cases of the reference normaliser, and each result is stable', () => {
  for (const [text, cleaned] of CASES) {
    assert.equal(cleanMossText(text), cleaned, text)
    assert.equal(cleanMossText(cleaned), cleaned, text)
  }
})

test('English text gets an end mark too, and lines become sentences', () => {
  assert.equal(cleanMossText('  hello world  '), 'hello world。')
  assert.equal(cleanMossText('First line\r\nSecond line!\n\n> Third'), 'First line。Second line!Third。')
  assert.equal(cleanMossText('《新品发布》——现在开始'), '新品发布。现在开始。')
  assert.equal(cleanMossText('path/@user_name and a@b_c'), 'path/@user_name and a@b c。')
  assert.equal(cleanMossText(' \n\u200b '), '')
})

test('any text keeps its letters, and no placeholder is left', () => {
  const pieces = fc.constantFrom(
    'a',
    '中',
    ' ',
    '.',
    '@',
    '#',
    '/',
    '-',
    '_',
    '>',
    '[',
    ']',
    '《',
    '》',
    '—',
    '1',
    'http://',
    '\n',
    '\u{f0000}',
    'r/',
  )
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
      const cleaned = cleanMossText(parts.join(''))
      assert.ok(!/[\u{f0000}-\u{10fffd}]/u.test(cleaned), cleaned)
      const count = (text: string, letter: string) => text.split(letter).length
      for (const letter of ['a', '中']) assert.equal(count(cleaned, letter), count(parts.join(''), letter), parts.join(''))
    }),
  )
})

test('a text with more names than there are placeholders is kept', () => {
  const text = 'a.b '.repeat(140_000).trim()
  assert.equal(cleanMossText(text).replaceAll(/\s/g, ''), `${'a.b'.repeat(140_000)}。`)
})

test('the time is linear in the length of the text', () => {
  for (const piece of ['[a](http://', '《', '【', '-', '-a', 'a.', 'a@', '@a', '#a', ' @a', '. ', '!? ', ' 中', '\n- ']) {
    const text = piece.repeat(60_000 / piece.length)
    const startedAt = ownCpuSeconds()
    cleanMossText(text)
    assert.ok(ownCpuSeconds() - startedAt < 3, piece)
  }
})
