// Texts for what the studio writes in English, in Japanese: failures, settings, checks and sentences.
import type { ServerTexts } from '../server.ts'

const NEXT_MACHINE = 'タスクは別のマシンに割り当てられます。'
const TRIED_AGAIN = 'タスクは再試行されます。'
const CHECK_NETWORK = 'マシンへのネットワークを確認してください。'
const STARTED_AGAIN = '次のタスクで再び起動されます。'
const PROXY =
  'http://host:port の形式。スタジオとそのダウンロードに直ちに使われます。パスワードを含む可能性があるため、暗号化して保存されます。'
const SERVICE_KEY = 'このサービスでの翻訳に使います。暗号化して保存され、表示されることはありません。'
const FREE_PORT = 'ほかのプログラムが使っていないポートの番号。'

export const server: ServerTexts = {
  failures: {
    WORKER_AT_CAPACITY: ['マシンが使用中です。', 'タスクは次に空いたマシンに割り当てられます。'],
    WORKER_UNREACHABLE: [
      ({ machine }) => (machine ? `マシン（${machine}）が応答しませんでした。` : 'マシンが応答しませんでした。'),
      '電源が入っていて、エージェントが動作しているか確認してください。',
    ],
    PINNED_WORKER_UNREACHABLE: [
      '選択したマシンは現在使えません。',
      'マシンの電源を入れるか、そこにエンジンをインストールするか、このマシンまたは「自動」を選んでください。',
    ],
    MODEL_NOT_INSTALLED: [
      ({ engine }) => (engine ? `エンジン（${engine}）がインストールされていません。` : 'エンジンがインストールされていません。'),
      'モデルのページでインストールしてください。',
    ],
    FILES_NOT_PRIVATE: [
      'このエンジンのプログラムは、コンピューターのほかのユーザーが変更できる状態にあるため、使われません。',
      'ファイルの所有者とアクセス権を修正してください。',
    ],
    MODEL_NOT_DOWNLOADED: ['モデルが足りません。', 'モデルのページでインストールしてください。'],
    MODEL_DIGEST_MISMATCH: [
      'マシンにあるモデルのバージョンが異なります。',
      'そのマシンに同じバージョンをインストールするか、別のマシンを選んでください。',
    ],
    INSUFFICIENT_MEMORY: ['モデルがメモリに収まりません。', 'より小さいモデルか、別のマシンを選んでください。'],
    OPERATION_UNSUPPORTED: ['このエンジンでは実行できません。', '別のエンジンを選んでください。'],
    NO_CAPABLE_WORKER: ['使用できるマシンの中に、現在これを実行できるものがありません。', '各マシンの状態はマシンのページで確認できます。'],
    INPUT_TRANSFER_UNSUPPORTED: ['マシンのプログラムが古く、ファイルを受信できません。', '更新してください。'],
    CONSENT_MISSING: ['マシンが承認されていません。', 'マシンのページで承認してください。'],
    ACCEPT_TIMEOUT: ['マシンが時間内に応答しませんでした。', NEXT_MACHINE],
    MODEL_LOAD_TIMEOUT: ['モデルの読み込みに時間がかかりすぎました。', '読み込みが終わってから、もう一度試してください。'],
    EXECUTION_TIMEOUT: ['制限時間を超えました。', '一度に処理するテキストを短くしてください。'],
    PROGRESS_LEASE_EXPIRED: ['マシンからの進捗の報告が途絶えました。', 'マシンのログを確認してください。'],
    RESULT_DELIVERY_TIMEOUT: ['結果が時間内に届きませんでした。', CHECK_NETWORK],
    INPUT_FETCH_TIMEOUT: ['入力が時間内にマシンに届きませんでした。', CHECK_NETWORK],
    TASK_DEADLINE_EXCEEDED: ['許容された時間が過ぎました。', 'より長い時間を許容してください。'],
    INPUT_FETCH_FAILED: ['入力がマシンに届きませんでした。', CHECK_NETWORK],
    INPUT_CORRUPT: ['届いた入力が壊れていました。', 'もう一度送信してください。'],
    INVALID_RESULT: ['マシンから無効な結果が届きました。', NEXT_MACHINE],
    RESULT_UPLOAD_FAILED: ['結果が届きませんでした。', CHECK_NETWORK],
    WORKER_FAILED: ['そのマシンでエンジンが失敗しました。', 'マシンのログを確認してください。'],
    WORKER_REJECTED: ['マシンがこれを受け付けず、ほかに依頼できるマシンもありませんでした。', '別のマシンを選んでください。'],
    ENGINE_CRASHED: ['エンジンが予期せず終了しました。', STARTED_AGAIN],
    ENGINE_HUNG: ['エンジンが応答しなくなったため、終了させました。', STARTED_AGAIN],
    NON_FINITE_OUTPUT: ['エンジンが使用できる音声を生成しませんでした。', '別のシードを試してください。'],
    WORKER_DISCONNECTED: ['マシンとの接続が切れました。', 'マシンのネットワークを確認してください。'],
    WORKER_DRAINING: ['マシンが停止しようとしています。', NEXT_MACHINE],
    SERVER_RESTART: ['スタジオが再起動されました。', '自動的に再開しない場合は、もう一度試してください。'],
    OFFSET_MISMATCH: ['結果の一部が欠けていました。', TRIED_AGAIN],
    SIZE_MISMATCH: ['結果の大きさが、通知された大きさと異なります。', TRIED_AGAIN],
    DIGEST_MISMATCH: ['結果が転送中に壊れました。', TRIED_AGAIN],
    UPLOAD_INCOMPLETE: ['結果が途中で終わりました。', TRIED_AGAIN],
    UNKNOWN: ['予期しないエラーが発生しました。', '詳細はログにあります。'],
    INTERNAL: ['スタジオの不具合により実行できませんでした。', 'スタジオのログを添えて報告してください。'],
    JOB_SET_ASIDE: ['ジョブを保留にしました。入力は保存されています。', '更新後にもう一度試してください。'],
    RECOGNITION_FAILED: ['録音を文字起こしできませんでした。', ''],
    INVALID_TASK_PARAMS: ['リクエストに無効な内容があります。', '詳細に示された項目を修正してください。'],
    MODEL_REF_REJECTED: ['このサーバーからはモデルをダウンロードできません。', '設定で別のサーバーを選ぶか、別のモデルを選んでください。'],
    RESULT_TOO_LARGE: ['結果が大きすぎます。', '一度に処理する量を減らしてください。'],
    ARTIFACT_TOO_LARGE: ['1 GiBを超えるファイルがあります。', '一度に処理する量を減らしてください。'],
    INPUT_UNAVAILABLE: ['入力が削除されました。', 'もう一度送信してください。'],
    CANCELLED: ['キャンセルされました。', ''],
    WORKER_REMOVED: ['マシンが削除されました。', NEXT_MACHINE],
    PINNED_WORKER_EXHAUSTED: ['選択したマシンで何度か失敗しました。', 'このマシンまたは別のマシンを選んでください。'],
    SESSION_EXPIRED: ['接続の有効期限が切れました。', '自動的に接続し直します。'],
    STALE_EPOCH: ['より新しい試行が実行中です。', 'その結果をお待ちください。'],
    STALE_ATTEMPT: ['より新しい試行が実行中です。', 'その結果をお待ちください。'],
    UPGRADE_REQUIRED: ['2つのプログラムのバージョンが離れすぎています。', '古いほうを更新してください。'],
    WORKER_REVOKED: ['このマシンはスタジオから削除されました。', '新しいコードで参加し直してください。'],
    AUTH_FAILED: ['相手の身元を確認できませんでした。', '新しいコードで参加し直してください。'],
    INVALID_REQUEST: ['無効な入力があります。', '詳細に示された項目を修正してください。'],
    BAD_REQUEST: ['スタジオはこれを受け付けられません。', ''],
    NOT_FOUND: ['存在しないか、すでになくなっています。', ''],
    MODEL_NOT_FOUND: ['この名前のエンジンはありません。', '別のエンジンを選んでください。'],
    METHOD_NOT_ALLOWED: ['このページとスタジオが一致していません。', 'ページを再読み込みしてください。'],
    FORBIDDEN: ['この操作は許可されていません。', ''],
    UNAUTHORIZED: ['サインインしていません。', 'もう一度サインインしてください。'],
    OTHER_LOCAL_USER: [
      'このコンピューターの別のユーザーがスタジオを実行しています。',
      'スタジオを実行しているユーザーとしてサインインしてください。',
    ],
    PIN_REQUIRED: ['PINがないか、間違っています。', 'PINはスタジオのマシンに表示されます。'],
    TOO_MANY_WRONG_PINS: ['PINの誤りが多すぎます。', 'スタジオのマシンでPINを確認してください。'],
    TOO_MANY_WRONG_KEYS: ['キーの誤りが多すぎます。', 'キーを確認してください。正しいキーはすぐに使えます。'],
    CONFLICT: ['現在の状態では実行できません。', ''],
    IDEMPOTENCY_CONFLICT: ['以前、これは別の内容で送信されました。', 'もう一度試してください。'],
    BODY_TOO_LARGE: [
      ({ limit }) => (limit ? `大きすぎます（上限は${limit}）。` : '大きすぎます。'),
      'より小さいファイルか、短いテキストを送信してください。',
    ],
    HEADERS_TOO_LARGE: ['ブラウザが送信するCookieが多すぎます。', 'ブラウザでこのアドレスのCookieを消去してください。'],
    REQUEST_TIMEOUT: ['届くのが遅すぎました。', 'ネットワークを確認して、もう一度試してください。'],
    QUEUE_FULL: [
      ({ seconds }) => (seconds === undefined ? '待機中のものが多すぎます。' : `待機中のものが多すぎます（再試行は${seconds}秒後）。`),
      '後でもう一度試してください。',
    ],
    STORAGE_FULL: ['スタジオのディスクがいっぱいか、書き込めません。', '空き容量を増やしてください。'],
    LOG_UNREADABLE: ['ログを読み取れません。', 'スタジオの「logs」フォルダーのアクセス権を確認してください。'],
    VIDEO_FETCH_FAILED: ['このページの動画を読み取れませんでした。', '設定でメディアツールを更新するか、録音をアップロードしてください。'],
    HOST_NOT_FOUND: [
      ({ host }) => (host ? `アドレス（${host}）が見つかりませんでした。` : 'アドレスが見つかりませんでした。'),
      'アドレスと、スタジオのインターネット接続を確認するか、ファイルをアップロードしてください。',
    ],
    DOWNLOAD_REFUSED: ['別のサーバーから、使用できないものが送られてきました。', '別のものを選んでください。'],
    MEDIA_TYPE_UNSUPPORTED: ['この種類のファイルは使えません。', '別のファイルを選んでください。'],
    REMOTE_SERVICE_FAILED: ['ネットワーク上のサービスが応答しないか、拒否しました。', '設定でそのアドレスとキーを確認してください。'],
    LANGUAGE_MODEL_MISSING: ['言語モデルが設定されていません。', '設定でプロバイダーを選び、必要な用途をオンにしてください。'],
    PROGRAM_MISSING: [
      ({ program }) =>
        program ? `スタジオのマシンにプログラム（${program}）がありません。` : 'スタジオのマシンにプログラムがありません。',
      'インストールしてください。',
    ],
    PROGRAM_FAILED: [
      ({ program }) => (program ? `プログラム（${program}）が正常に動作しませんでした。` : 'プログラムが正常に動作しませんでした。'),
      '理由はスタジオのログにあります。',
    ],
    PROGRAM_KILLED: [
      ({ program }) =>
        `${program ? `プログラム（${program}）` : 'プログラム'}が外部から終了させられました。多くの場合、メモリ不足が原因です。`,
      'メモリの空きを増やして、もう一度試してください。',
    ],
    NOT_READY: ['スタジオが起動中または停止中です。', '少し待って、もう一度試してください。'],
    VOICE_UNAVAILABLE: ['このボイスは利用できません。', ''],
  },
  settings: {
    'perf.torch_compile_disabled': ['グラフのコンパイルを省略', 'WindowsのPythonエンジンで、最初の文に数分かかる場合に使います。'],
    'compute.device': ['グラフィックカード', '「自動」では、このマシンで最も速いデバイスを使います。'],
    'history.retention': [
      '保存するテイク数',
      '0ですべて保存します。新しいテイクを作ると最も古いものから削除されますが、スター付きは削除されません。',
    ],
    'dictation.refinement.auto': ['自動で推敲', '音声入力が終わると、テキストを言語モデルに送ります。'],
    'dictation.refinement.smart_cleanup': ['整える', 'つなぎ言葉を取り除き、句読点を直します。'],
    'dictation.refinement.self_correction': ['言い直しを反映', '「月曜、いや、火曜」が「火曜」になります。'],
    'dictation.refinement.preserve_technical': ['専門用語を維持', '名前、コマンド、コードは話したとおりに残します。'],
    'dictation.refine_seconds': ['推敲の制限時間', '秒単位。これより時間がかかるテキストは、そのまま残します。'],
    'voices.most_gigabytes': ['ボイス', '録音と画像の上限（GB）。超えると新しいものを受け付けません。'],
    'voices.hosted_url': ['ホスト型ライブラリのアドレス', '使わない場合は空欄。サーバーを変えるとキーは削除されます。'],
    'voices.hosted_key': ['ホスト型ライブラリのキー', 'このライブラリにのみ送信されます。'],
    'gallery.most_gigabytes': ['ギャラリー', 'クリップの上限（GB）。超えると新しいクリップを受け付けません。'],
    'dictation.enabled': ['音声入力', 'マイクからのテキスト入力をオン／オフにします。'],
    'dictation.mode': ['音声入力キー', '押して開始・もう一度押して終了、または押している間だけ入力します。'],
    'archetypes.download_previews': [
      'ボイスの試聴をダウンロード',
      '用意されたボイスのサンプルを公開元から取得します。オフの場合はここで作成します。',
    ],
    'longform.cache_gigabytes': [
      'オーディオブックのキャッシュ',
      '生成した文の上限（GB）。空欄の場合は20、または空き容量の5分の1（小さいほう）。',
    ],
    'dubbing.store_gigabytes': ['吹き替え', '上限（GB）。超えると、作り直せるファイルを古い順に削除します。'],
    'dubbing.ingest_local_network': [
      'ローカルネットワークの動画',
      '動画の取得元として、インターネットに加えて自分のネットワークのアドレスも許可します。',
    ],
    'mcp.enabled': ['MCPサーバー', 'このマシンのアシスタントが、このスタジオのボイスを使えるようにします。'],
    pronunciation_enabled: ['辞書を使う', '読み上げ、オーディオブック、吹き替えに適用されます。'],
    'recognition.expected_languages': [
      '想定する言語',
      'en, frなどのコード。言語を選んでいない録音は、このいずれかとみなします。空欄：すべての言語。',
    ],
    'watermark.invisible': ['聞こえない識別マーク', 'このスタジオの音声は、変換後も合成音声と判別できます。オフにしたことは記録されます。'],
    'watermark.visible_audio': ['音声での告知', '告知を付けるプログラムのために保存されます。スタジオ自体は付けません。'],
    'watermark.visible_video': ['動画内の表示', '吹き替えた動画に、声が合成であることを表示します。'],
    'env.HTTP_PROXY': ['httpのプロキシ', PROXY],
    'env.HTTPS_PROXY': ['httpsのプロキシ', PROXY],
    'env.ALL_PROXY': ['その他すべてのプロキシ', PROXY],
    'env.GOOGLE_TRANSLATE_API_KEY': ['Google Translateのキー', SERVICE_KEY],
    'env.DEEPL_API_KEY': ['DeepLのキー', SERVICE_KEY],
    'env.MICROSOFT_API_KEY': ['Microsoft Translatorのキー', SERVICE_KEY],
    'env.MICROSOFT_REGION': ['Microsoft Translatorのリージョン', 'キーのリージョン。例：westeurope。'],
    'env.MYMEMORY_EMAIL': ['MyMemoryのメールアドレス', 'このサービスの1日の上限が増えます。アドレスはサービスに送信されます。'],
    'env.VOICESTUDIO_PORT': ['スタジオのポート', FREE_PORT],
    'env.VOICESTUDIO_SHARE_PORT': ['ほかのデバイス用のポート', FREE_PORT],
    'llm.skill.dub_translation.enabled': ['吹き替えの翻訳', '動画のセリフを、前後のセリフを文脈として翻訳します。'],
    'llm.skill.cinematic_translation.enabled': ['話し言葉らしく書き直す', '品質「Cinematic」の吹き替えで、2回目の処理を行います。'],
    'llm.skill.slot_fitting.enabled': ['長すぎるセリフを短縮', '速く話さないと収まらないセリフを短く書き直します。'],
    'llm.skill.glossary_extract.enabled': ['用語集を提案', '動画に出てくる名前や用語と、その訳し方。'],
    'llm.skill.direction_parse.enabled': ['セリフへの演出指示を理解', '「ささやいて、だんだん大きく」がボイスの設定になります。'],
    'llm.skill.dictation_refinement.enabled': ['音声入力のテキストを推敲', '「音声入力」の設定に従います。'],
  },
  checks: {
    deep_synth: '詳細な音声合成（テスト文を実際に読み上げ）',
    network: 'モデルサーバー',
    device: 'デバイス',
    ffmpeg: 'ffmpeg',
    hf_token: 'モデルハブのトークン',
    data_dir: 'データフォルダー',
    engines: 'エンジン',
    disk: 'ディスクの空き容量',
    ram: 'メモリ',
    gpu_routing: 'エンジンのデバイス',
    os: 'オペレーティングシステム',
    python: 'Python',
    hf_cache_writable: 'モデルフォルダー',
    gpu: 'グラフィックカード',
  },
  sentences: {
    'No connected machine has the model of {engine} that this dub began with. It continues when one does.':
      'この吹き替えを開始した{engine}のモデルを持つマシンが接続されていません。利用できるようになると続行します。',
    'Using the voice {voice}, because the model of the Voice Studio engine is not installed.':
      'Voice Studioエンジンのモデルがインストールされていないため、ボイス「{voice}」を使っています。',
    'Using {engine}, because the model of {wanted} is not installed.':
      '{wanted}のモデルがインストールされていないため、{engine}を使っています。',
    'Using {engine}, because no model of {wanted} for {language} is installed.':
      '{wanted}の{language}用のモデルがインストールされていないため、{engine}を使っています。',
    'None that the engines of this machine can use.': 'このマシンのエンジンが使えるものはありません。',
    'Small models run fast without one, large models run slowly. You can borrow a machine that has one.':
      'グラフィックカードがなくても小さいモデルは速く動作しますが、大きいモデルは遅くなります。グラフィックカードのあるマシンを借りることもできます。',
    'This machine has a GPU, so large models run fast enough.': 'このマシンにはGPUがあるため、大きいモデルも十分な速さで動作します。',
    'These models run fast on a CPU.': 'これらのモデルはCPUでも速く動作します。',
    '{engine} runs on {device}.': '{engine}は{device}で動作します。',
    'The local agent is not connected yet.': 'このマシンのエージェントがまだ接続していません。',
    'The free space is unknown.': '空き容量は不明です。',
    '{size} free': '空き{size}',
    'The studio was not tested on this system.': 'スタジオはこのシステムではテストされていません。',
    '{server} answers.': '{server}は応答しています。',
    '{server} does not answer.': '{server}が応答しません。',
    'Installed models work without it. To install others, connect this machine to the internet or choose a mirror in the settings.':
      'インストール済みのモデルはそのまま使えます。ほかのモデルをインストールするには、このマシンをインターネットに接続するか、設定でミラーを選んでください。',
    'Installed models work without it. Check the connection, the proxy or the mirror in the settings.':
      'インストール済みのモデルはそのまま使えます。接続、または設定のプロキシやミラーを確認してください。',
    'Set.': '設定済みです。',
    'Not set.': '設定されていません。',
    'Only models that require an account need it. Add it in the settings.':
      'アカウントが必要なモデルでのみ使います。設定で追加してください。',
    'Free some space. Models and recordings need more than 5 GB.':
      '空き容量を増やしてください。モデルと録音には5 GBを超える容量が必要です。',
    'Free some space, or correct the owner and the access rights of the folder.':
      '空き容量を増やすか、フォルダーの所有者とアクセス権を修正してください。',
    'Close other programs, unload models, or choose a smaller model.':
      'ほかのプログラムを閉じるか、モデルをメモリから解放するか、より小さいモデルを選んでください。',
    'Choose another engine or machine, or check the driver.': '別のエンジンかマシンを選ぶか、ドライバーを確認してください。',
    'The engines of this machine are starting. Try again in a moment.':
      'このマシンのエンジンを起動中です。少し待って、もう一度試してください。',
    'A model is being loaded or checked at the moment.': '現在、モデルを読み込み中または確認中です。',
    'The file is a manuscript: its headings and tags were kept as they are.': 'このファイルは原稿です。見出しとタグはそのまま残しました。',
    'This chapter is switched off.': 'この章はオフになっています。',
    'A title without text is no chapter.': 'テキストのないタイトルは章になりません。',
    'This voice does not follow instructions or descriptions.': 'このボイスは指示や説明文に対応していません。',
    'The reference recording was used instead of the named voice.': '指定されたボイスの代わりに、参照音声を使いました。',
    'The reference is longer than 20 seconds; 3 to 10 seconds are faster and sound better.':
      '参照音声が20秒を超えています。3～10秒のほうが速く、音質も良くなります。',
    'The reference has no transcript. A transcript (ref_text) makes the voice more similar.':
      '参照音声に文字起こしがありません。文字起こし（ref_text）があると、声がより似ます。',
    'The text cannot be spoken in the requested duration; the nearest possible duration was used.':
      '指定された長さではテキストを読み上げられないため、可能な範囲で最も近い長さにしました。',
    'This model does not compute the times of words.': 'このモデルは単語の時刻を計算しません。',
    'No speech was found in the recording.': '録音に話し声が見つかりませんでした。',
    'The weights of lower precision failed; full precision was used.': '低精度の重みではうまく動作しなかったため、完全な精度を使いました。',
    'This model produces stereo; both channels were mixed to mono.':
      'このモデルの出力はステレオのため、両チャンネルをモノラルにミックスしました。',
  },
}
