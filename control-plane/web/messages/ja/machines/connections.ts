// The words of the sections that connect machines, in Japanese: add, connect, share and lend.

import { COMMAND } from '#control-plane/web/lib/names.ts'
import { plural } from '../language.ts'
import { strings as shared } from '../shared.ts'

const add = {
  title: 'マシンを追加',
  intro: '追加するマシンが、1回だけ使えるコードでこのスタジオに接続します。そのマシンでポートを開く必要はありません。',
  name: 'マシンの名前',
  nameHint: 'ここに表示される名前です。後で変更できます。',
  address: 'このスタジオのアドレス',
  detected: (endpoint: string) => `${endpoint}（検出）`,
  fromPage: (host: string) => `${host}（このページのアドレス）`,
  other: '別のアドレス…',
  otherLabel: '別のアドレス',
  otherHint: 'HOSTまたはHOST:PORT。例：ポートを転送するルーターのアドレス。',
  validFor: '有効期間',
  times: [
    [300, '5分'],
    [900, '15分'],
    [3600, '1時間'],
    [86_400, '1日'],
  ] as [number, string][],
  create: 'コードを作成',
  createAnother: '別のコードを作成',
  code: '参加コード',
  codeBefore: '1回だけ使えるコードです。接続先：',
  codeTime: '。残り時間：',
  expired: 'なし（期限切れ）',
  onOther: '追加するマシンで',
  ways: {
    npx: 'Node 22.18以降で：',
    container: 'コンテナーで：',
    files: 'パッケージファイルのあるフォルダーで：',
    checkout: 'チェックアウトで：',
  } as Record<string, string>,
  thenLends: 'マシンは参加し、その後はターミナルなしで動作します。できない場合は、起動方法がコマンドに表示されます。',
  sameLines: '同じ行を表示するコマンド：',
  waiting: 'マシンを待っています。参加するとここに表示されます。',
  codeExpired: 'コードの有効期限が切れました。',
  joined: (isConnected: boolean) =>
    isConnected ? 'が参加し、接続しました。' : `が参加しました。エージェントを起動すると接続します：${COMMAND} agent`,
  approved: '承認済みです。',
  notApproved: '承認するまで、何も送信されません。',
  approve: '承認…',
}

const secret = {
  copy: 'コピー',
  copied: 'コピーしました。',
  selected: '選択しました。キーボードでコピーしてください。',
  once: '再表示はできません。',
  qr: (label: string) => `${label}のQRコード`,
}

const connect = {
  title: 'GPUマシンに接続',
  intro: `接続を受け付けているマシン用です。所有者が、マシンのページか${COMMAND} agent keys addで、あなた用の接続文字列を作成します。`,
  remoteOff: '先にリモートマシンをオンにしてください。',
  string: '接続文字列',
  stringHint: '他人に知られないようにしてください。最初に使ったスタジオの専用になります。',
  connect: '接続',
  connecting: (endpoint: string) => `${endpoint}に接続中です。`,
  connections: '接続',
  connected: '接続済み',
  notConnected: '未接続',
  remove: shared.remove,
  removeOne: (endpoint: string) => `${endpoint}への接続を削除`,
  removeTitle: 'この接続を削除しますか？',
  removeWarning: 'スタジオは接続を切り、マシンを削除します。もう一度使うには、新しい接続文字列が必要です。',
  removed: '接続を削除しました。',
}

const share = {
  title: 'このマシンを共有',
  intro: 'ほかのスタジオがこのマシンに接続し、GPUを使います。利用者ごとにキーを発行します。',
  on: 'オン',
  off: 'オフ',
  listeningOn: '待ち受けアドレス：',
  reach: (isExposed: boolean) =>
    isExposed
      ? '。ほかのマシンから到達できますが、アクセスできるのはキーを持つ相手だけです。'
      : '。到達できるのはこのマシン上のプログラムだけです。',
  startError: (reason: string) => `待ち受けを開始できませんでした：${reason}`,
  address: '待ち受けアドレス',
  addressHint: '127.0.0.1：このマシン上のプログラムのみ。0.0.0.0：このマシンに到達できるすべてのマシン。',
  port: 'ポート',
  start: '共有を開始',
  change: 'アドレスを変更',
  stop: '共有を停止',
  started: 'このマシンの共有を開始しました。',
  stopped: 'このマシンの共有を停止しました。',
  keys: 'キー',
  newKey: '新しいキー…',
  noKeys: 'キーはまだありません。',
  keyTitle: '新しいキー',
  person: '利用者',
  personHint: '最大64文字。',
  createKey: 'キーを作成',
  keyFor: '',
  keyForOne: '専用のキーです。最初に使ったスタジオに結び付けられます。',
  string: '接続文字列',
  localOnly:
    '現在、使えるのはこのマシン上のプログラムだけです。ほかから接続できるようにするには、0.0.0.0かネットワークのアドレスで待ち受けてください。',
  state: '状態',
  lastSeen: '最終接続',
  actions: '操作',
  keyStates: { revoked: '失効', connected: '接続中', unused: '未使用', away: '未接続' },
  revoke: '失効させる',
  revokeOne: (name: string) => `${name}のキーを失効させる`,
  revokeTitle: 'このキーを失効させますか？',
  revokeBefore: '',
  revokeAfter: 'のアクセスは直ちに終了し、そのタスクは停止されます。元に戻せません。',
  revoked: 'キーを失効させました。',
  connected: '接続中',
  noSessions: '接続している利用者はいません。',
  from: (peer: string) => `（${peer}）、接続：`,
  tasksRun: (count: number) => plural(count, { other: '、実行したタスク#件' }),
  disconnect: '切断',
  disconnectOne: (name: string) => `${name}を切断`,
  disconnected: '切断しました。そのスタジオは1分後に再接続できます。締め出すにはキーを失効させてください。',
  events: (count: number) => `接続ログ（${count}）`,
  someone: '不明な相手',
  event: (peer: string, what: string, detail: string) => `（${peer}）：${what}${detail && `：${detail}`}`,
  eventKinds: { connected: '接続', disconnected: '切断', kicked: '切断させた', rejected: '拒否' },
}

const lend = {
  title: '参加コードで貸し出し',
  section: 'このマシンを貸し出す',
  states: { none: '未参加', off: 'オフ', finishing: '終了処理中', lending: '貸し出し中', searching: '未接続', unknown: '不明' },
  none: 'このマシンは、ほかのスタジオに参加していません。',
  off: (studio: string) => `${studio}に参加していますが、現在は貸し出していません。`,
  finishing: (studio: string, held: number) =>
    `${studio}の残り${plural(held, { other: '#件のタスク' })}を完了させています。新しいタスクは受け付けません。`,
  lending: (studio: string, held: number) => `${studio}に貸し出し、現在${plural(held, { other: '#件のタスク' })}を実行中です。`,
  searching: (studio: string) => `${studio}に接続中です。`,
  studioAt: (name: string, endpoint: string) => `${name || 'スタジオ'}（${endpoint}）`,
  lastError: (error: string) => `直近の問題：${error}`,
  pinned: '環境変数STUDIO_WORKER_MODEで設定されているため、ここでは変更できません。',
  start: '貸し出しを開始',
  stop: '貸し出しを停止',
  started: 'このマシンの貸し出しを開始しました。',
  stopped: 'このマシンの貸し出しを停止しました。',
  join: '参加して貸し出す',
  joinAnother: '別のスタジオに参加',
  joined: '参加しました。このマシンを貸し出しています。',
  code: '相手のスタジオの参加コード',
  codeHint: '相手のスタジオのマシンのページで「マシンを追加」から作成します。このマシンは、その利用者が送る作業を実行します。',
}

export const strings = { add, secret, connect, share, lend }
