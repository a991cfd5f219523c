// The words of the views and dialogs that the Machines page opens, in Japanese.
import { grouped } from '../language.ts'
import { strings as shared } from '../shared.ts'

const routing = {
  title: '実行先',
  target: '作業の実行先',
  automatic: '自動（最速）',
  unavailable: (name: string, why: string) => `${name}（${why}）`,
  showFor: '実行先を表示する作業',
  runningOn: (name: string) => `${name}で実行中`,
  fastest: '最速のマシン',
  thisMachine: 'このマシン',
  saved: '保存しました。',
  where: '現在の実行先',
  operations: [
    ['', 'すべて'],
    ['tts', '音声合成'],
    ['audiobook', 'オーディオブック'],
    ['dub', '吹き替え'],
    ['clone', 'ボイスクローン'],
    ['asr', '文字起こし'],
    ['dictation', '音声入力'],
    ['diarize', '話者の識別'],
    ['identify', '言語の検出'],
    ['translate', '翻訳'],
  ] as [string, string][],
}

const security = {
  title: '認証局',
  intro: 'すべてのマシンの身元を証明する証明書に署名します。マシンが参加時に表示するフィンガープリントと、ここのものを照合してください。',
  fingerprint: 'フィンガープリント',
  next: '次の認証局',
  previous: '以前の認証局',
  validUntil: '有効期限',
  phases: { steady: '使用中', prepared: '交代を準備済み', activated: '交代後のものを使用中' },
  behind: '以前の証明書を使用中',
  mustJoinAgain: '再参加が必要',
  replace: '認証局を交代',
  steps: {
    prepare: '鍵が漏れた可能性があるとき、または有効期限が近いときに交代させます。手順1で次の認証局を作成し、すべてのマシンに伝えます。',
    activate: '手順2で、新しい証明書に次の認証局を使います。以前のコードと証明書は引き続き有効です。',
    retire: '手順3で、以前の認証局を終了します。すべてのマシンが新しい証明書を受け取るまで待ちます。',
  },
  actions: { prepare: '次の認証局を準備', activate: '次の認証局を使用', retire: '以前の認証局を廃止…' },
  done: {
    prepare: '次の認証局を準備しました。',
    activate: '次の認証局の使用を開始しました。',
    retire: '以前の認証局を廃止しました。',
  },
  retireTitle: '以前の認証局を廃止しますか？',
  retireYes: '廃止',
  retireWarning: '以前の認証局の証明書とコードは使えなくなります。元に戻せません。',
}

const dialogs = {
  approveTitle: 'このマシンを承認しますか？',
  approveBefore: '',
  approveAfter: 'を承認すると、スタジオはタスクに必要な次のデータをそのマシンに送信します：',
  sent: [
    ['テキスト', '（読み上げまたは翻訳するもの）'],
    ['音声', '（文字起こしまたは処理するもの）'],
    ['ボイス', '（使用するもののサンプルと説明）'],
  ],
  destinationBefore: 'データの送信先：',
  destinationKey: '（キー：',
  destinationAfter: 'のマシン）。接続は暗号化されます。',
  unknownAddress: '接続時に判明するアドレス',
  approveWarning: 'そのマシンの所有者は、データを読み、聴き、保存できます。',
  approveAdvice: '所有者を信頼してデータを預けられるマシンだけを承認してください。',
  approveNote:
    '承認はいつでも取り消せます。取り消すと、タスクは停止され、そのマシン上のデータは削除されます。ただし、所有者がそれまでに作ったコピーは残ります。',
  notNow: '後で',
  approve: '承認',
  useQuestion: 'どのように使いますか？',
  uses: { automatic: '自動', chosen: '選んだときだけ' },
  useHints: {
    automatic: 'このマシンと承認済みのマシンのうち、最も早く完了できるマシンで実行されます。',
    chosen: '今は何も変わりません。使うときに「作業の実行先」で選んでください。',
  },
  endsAutomatic: '「作業の実行先」で別のマシンを選ぶまで、作業はこのマシンで実行されます。',
  approved: (name: string, use: 'automatic' | 'chosen') =>
    use === 'automatic' ? `${name}を承認しました。作業が自動的に割り当てられます。` : `${name}を承認しました。使うときに選んでください。`,

  changeTitle: '名前と優先度の変更',
  name: '名前',
  nameHint: '最大120文字。空欄の場合はキーが表示されます。',
  priority: '優先度（0～100）',
  priorityHint: '2台のマシンが同時に完了できる場合、優先度の高いほうに割り当てられます。初期値は50です。',
  saved: '保存しました。',

  withdrawTitle: '承認を取り消しますか？',
  withdraw: '取り消す',
  withdrawBefore: 'スタジオは',
  withdrawAfter: 'へのデータ送信をやめます。タスクは停止され、そこにあるデータは削除され、タスクは別の場所で実行されます。',
  withdrawn: '承認を取り消しました。',

  releaseTitle: 'このマシンの隔離を解除しますか？',
  release: '隔離を解除',
  quarantined: 'は隔離されています：',
  alreadyReleased: '隔離はすでに解除されています。',
  releaseWarning: 'キーを持つマシンが1台だけだと確信できる場合にのみ解除してください。次にこのキーを使うマシンが受け入れられます。',
  released: '隔離を解除しました。',

  removeTitle: 'このマシンを削除しますか？',
  remove: shared.remove,
  removeBefore: '',
  removeAfter: 'のキーは失効し、マシンは切断されます。タスクは別の場所で実行されます。',
  removeWarning: 'このキーでは再び接続できません。もう一度使うには、新しいコードで追加してください。',
  removed: 'マシンを削除しました。',

  logTitle: 'このマシンのログ',
  logNote: '：最新の行を古い順に表示します。秘密情報とタスクのテキストは含まれません。',
  logLines: 'ログの行',
  logEmpty: 'ログは空です。',
  refresh: '更新',

  goneTitle: 'このマシンはもうありません',
  gone: '削除されたか、リモートマシンがオフになりました。',
}

/** A pool beside the table, and in the question before its approval. */
const pool = {
  notKnown: '不明',
  readsNot: 'なし（運営者の申告）',
  keepsNothing: 'ジョブの後はなし（運営者の申告）',
  operator: '運営者',
  location: '所在地',
  canDo: 'できること',
  canRead: '読めるもの',
  keeps: '保存するもの',
  reads: '送信したテキスト、サンプル、音声',
  declared: '運営者の申告です。スタジオでは確認できません。',
  share: '自分の利用分',
  atOnce: '同時実行',
  wait: '通常の待ち時間',
  slots: '枠',
  you: (count: number) => `自分 ${grouped(count)}`,
  others: (count: number) => `ほか ${grouped(count)}`,
  free: (count: number) => `空き ${grouped(count)}`,
  studios: (count: number) => `利用中のスタジオ：${grouped(count)}`,
  older: (count: number) => `古いバージョン：${grouped(count)}`,
}

export const strings = { routing, security, dialogs, pool }
