// The words of the parts of an editor of a dub that its first view does not show, in Japanese.
import { grouped, list, plural } from '../language.ts'

const lines = (count: number) => plural(count, { other: 'セリフ#件' })
/** Names of the checks of a line. */
const CHECKS: Readonly<Record<string, string>> = {
  words: '言葉',
  timing: 'タイミング',
  language: '言語',
  level: '音量',
  clipping: '音割れ',
  rate: '話す速さ',
  cut: '途切れ',
  leak: '元の声の混入',
  voice: '声の類似度',
}
/** Reasons for checks that were not made. */
const NOT_CHECKED: Readonly<Record<string, string>> = {
  words: 'この言語を認識できるモデルがインストールされていません。',
  language: 'この言語を認識できるモデルがインストールされていません。',
  timing: '話し声の始まりと終わりを検出するモデルがインストールされていません。',
  leak: '動画の準備時に、声が音楽や環境音から分離されませんでした。',
  voice: '声を比較するモデルがインストールされていません。',
}
const checkNames = (checks: readonly string[]) => list(checks.map((check) => CHECKS[check] ?? check))

export const strings = {
  imported: (name: string) => `${name}のセリフ`,
  readAgainHint: '文字化けしている場合は、別のエンコーディングを選ぶとセリフを読み込み直します。',
  line: (number: number) => `セリフ${number}`,
  newTake: '新しいテイク',
  speakWith: (count: number) => `これとほか${grouped(count)}件を音声化`,
  understood: (text: string) => `チェックで認識した言葉：${text}`,
  lengthIn: (length: string, room: string, isMeasured: boolean) =>
    `時間枠${room}秒に対して音声は${isMeasured ? '' : '約'}${length}秒です。`,
  shorter: '短くした案：',
  use: '使う',
  sourceText: '元のテキスト',
  startSeconds: '開始（秒）',
  endSeconds: '終了（秒）',
  timeRefusals: { number: '12.5のように秒数で入力してください。', order: '終了は開始より0.1秒以上後にしてください。' },

  newSpeaker: '新しい話者…',
  newSpeakerName: '新しい話者の名前',
  addSpeaker: '追加',
  speakerKeys: '1～9のキーで話者を設定できます。',
  namesFound: 'セリフの中に見つかった話者：',
  useNames: '話者にする',
  keepNames: 'テキストのまま残す',
  hearVoice: (name: string) => `${name}の声を再生`,
  stopVoice: (name: string) => `${name}の声を停止`,
  speaks: (count: number, time: string) => (count === 0 ? lines(0) : `${lines(count)}、${time}`),
  voicesHint: '話者ごとに1つのボイスを使います。別のボイスで音声化されたセリフは、音声化し直します。',
  name: '名前',
  voiceOf: (name: string) => `${name}のボイス`,
  engineVoice: 'エンジンのボイス',
  filmVoice: '動画から取り出した声',

  glossaryHint: '訳し方を統一する名前や用語です。次回の翻訳から適用されます。',
  noGlossary: '用語はまだありません。',
  terms: '用語',
  termSource: '原語',
  termTarget: '訳語',
  termNote: 'メモ',
  addTerm: '用語を追加',
  findTerms: '用語を探す',
  noTerms: '読み取るテキストがまだありません。',
  termsFound: (count: number) =>
    count === 0 ? '新しい用語は見つかりませんでした。' : plural(count, { other: '用語を#件追加しました。訳語を確認してください。' }),
  foundTerm: '検出',
  editTerm: (name: string) => `${name}を編集`,
  removeTerm: (name: string) => `${name}を削除`,
  translateAgain: (count: number) => `${lines(count)}を翻訳し直す`,

  exportTitle: '書き出し',
  language: '言語',
  keepBackground: '動画の音楽と環境音を残す',
  keepOriginal: '動画の音声を小さくして残す',
  dual: '両方の言語の字幕',
  burn: '字幕を映像に焼き込む',
  files: {
    film: '動画（MP4）',
    filmHint: (count: number, burns: boolean) =>
      `${plural(count, { other: '吹き替え#件' })}、元の音声、${burns ? '映像に焼き込んだ字幕' : '非表示の字幕'}。`,
    mp3: '音声（MP3）',
    mp3Hint: 'サイズが小さく、どこでも再生できます。',
    wav: '音声（WAV）',
    wavHint: '劣化なし。',
    srt: '字幕（SRT）',
    srtHint: 'プレーヤーや動画サイト向け。',
    vtt: '字幕（WebVTT）',
    vttHint: 'ウェブページ向け。',
    stems: 'ステム（ZIP）',
    stemsHint: '声と背景音を別々のファイルで。',
    lines: 'セリフ（ZIP）',
    linesHint: '各セリフをWAVファイルで。',
  },
  saveAs: (name: string) => `${name}を保存`,
  exportHint: 'このウィンドウを閉じても、ページを離れても構いません。作成はスタジオで続き、完成したファイルがここに表示されます。',
  makes: (name: string) => `${name}を作成中`,
  begins: '準備中',
  exportFailed: 'ファイルを作成できませんでした。',
  cancelExport: (name: string) => `${name}をキャンセル`,
  madeTitle: '以前に作成したファイル',
  madeFile: (size: string, when: string) => `${size} · ${when}`,

  checkTitle: 'チェック',
  checkAgain: '再チェック',
  closeCheck: 'チェックを閉じる',
  linesCount: lines,
  faulty: (faulty: number, all: number) => `${lines(all)}中${faulty}件に問題があります。`,
  noFaults: 'チェックした範囲では、問題は見つかりませんでした。',
  checked: (checks: readonly string[]) => `${checkNames(checks)}をチェックしました。`,
  notChecked: (checks: readonly string[]) => `未チェック：${checkNames(checks)}。`,
  /** Reasons for checks that no line had, each once. */
  whyNotChecked: (checks: readonly string[]) => [...new Set(checks.flatMap((check) => NOT_CHECKED[check] ?? []))],
  partlyChecked: (checks: readonly string[]) => `一部のセリフのみチェック：${checkNames(checks)}。`,
  showThem: '表示',
  repair: '音声化し直す',
  closeNote: 'この通知を閉じる',
  wordless: (count: number) =>
    plural(count, {
      other: '声はあるのに言葉を認識できず、セリフのない箇所が#か所あります。話している位置にセリフを挿入してください。',
    }),
  fromTo: (from: string, to: string) => `${from}～${to}`,
  playPlace: (times: string) => `${times}を再生`,
  morePlaces: (count: number) => `ほか${count}か所`,
  uncovered: (count: number) => plural(count, { other: '話し声があるのにセリフのない箇所が#か所あります。' }),
}
