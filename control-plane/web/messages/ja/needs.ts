// The words for what is missing, in Japanese: models by the work that they make possible.

export const strings = {
  /** Before the name of the model. */
  needs: {
    speech: '自然な音声合成に必要なモデル：',
    cloning: 'マイボイスでの読み上げに必要なモデル：',
    description: '説明文からのボイス作成に必要なモデル：',
    recognition: '文字起こしに必要なモデル：',
    dictation: '音声入力に必要なモデル：',
    speakers: '話者の識別に必要なモデル：',
    background: '元の声を除いて音楽と環境音を残すために必要なモデル：',
    translation: '翻訳に必要なモデル：',
  },
  missing: {
    speech: '自然な音声合成のモデルがまだインストールされていません。',
    cloning: 'マイボイスで読み上げるモデルがまだインストールされていません。',
    description: '説明文からボイスを作るモデルがまだインストールされていません。',
    recognition: '文字起こしのモデルがまだインストールされていません。',
    dictation: '音声入力のモデルがまだインストールされていません。',
    speakers: '話者を識別するモデルがまだインストールされていません。',
    background: '声を音楽や環境音から分離するモデルがまだインストールされていません。',
    translation: 'この翻訳のモデルがまだインストールされていません。',
  },
  fits: '余裕あり',
  tight: 'ぎりぎり',
  label: (work: string, model: string) => `${work}${model}`,
  install: 'インストール',
  installOf: (model: string) => `${model}をインストール`,
  cancelOf: (model: string) => `${model}のダウンロードをキャンセル`,
  waiting: '別のダウンロードを待機中',
  progressOf: (model: string) => `${model}のダウンロード`,
  progress: (done: string, total: string) => `${done} / ${total}`,
  failed: 'ダウンロードに失敗しました。',
  askOwner: 'このスタジオの所有者がインストールできます。',
}
