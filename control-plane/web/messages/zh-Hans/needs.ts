// The words for what is missing, in Simplified Chinese: models by the work that they make possible.

export const strings = {
  /** Before the name of the model. */
  needs: {
    speech: '自然语音需要',
    cloning: '用自己的音色朗读需要',
    description: '根据描述生成音色需要',
    recognition: '语音识别需要',
    dictation: '听写需要',
    speakers: '区分说话人需要',
    background: '去除原有人声并保留音乐和环境声需要',
    translation: '翻译需要',
  },
  /** The same as a whole sentence, where no button follows. */
  missing: {
    speech: '尚未安装自然语音模型。',
    cloning: '尚未安装可用自己的音色朗读的模型。',
    description: '尚未安装可根据描述生成音色的模型。',
    recognition: '尚未安装语音识别模型。',
    dictation: '尚未安装听写模型。',
    speakers: '尚未安装可区分说话人的模型。',
    background: '尚未安装可将人声与音乐和环境声分离的模型。',
    translation: '尚未安装用于此翻译的模型。',
  },
  fits: '适合本机',
  tight: '资源偏紧',
  label: (work: string, model: string) => `${work} ${model}`,
  install: '安装',
  installOf: (model: string) => `安装 ${model}`,
  cancelOf: (model: string) => `取消下载 ${model}`,
  waiting: '正在等待另一项下载',
  progressOf: (model: string) => `${model} 的下载进度`,
  progress: (done: string, total: string) => `${done}，共 ${total}`,
  failed: '下载失败。',
  askOwner: '此工作室的所有者可以安装它。',
}
