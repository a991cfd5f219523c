// The words for what is missing, in Arabic: models by the work that they make possible.

export const strings = {
  /** Before the name of the model. */
  needs: {
    speech: 'الكلام الطبيعي يتطلب',
    cloning: 'النطق بأصواتك يتطلب',
    description: 'إنشاء صوت من وصف يتطلب',
    recognition: 'التعرّف على الكلمات يتطلب',
    dictation: 'الإملاء يتطلب',
    speakers: 'تمييز المتحدثين يتطلب',
    background: 'الاحتفاظ بالموسيقى والضجيج دون الأصوات الأصلية يتطلب',
    translation: 'الترجمة تتطلب',
  },
  /** The same as a whole sentence, where no button follows. */
  missing: {
    speech: 'لم يُثبَّت بعد نموذج للكلام الطبيعي.',
    cloning: 'لم يُثبَّت بعد نموذج ينطق بأصواتك.',
    description: 'لم يُثبَّت بعد نموذج ينشئ أصواتًا من وصف.',
    recognition: 'لم يُثبَّت بعد نموذج للتعرّف على الكلمات.',
    dictation: 'لم يُثبَّت بعد نموذج للإملاء.',
    speakers: 'لم يُثبَّت بعد نموذج لتمييز المتحدثين.',
    background: 'لم يُثبَّت بعد نموذج يفصل الأصوات عن الموسيقى والضجيج.',
    translation: 'لم يُثبَّت بعد نموذج لهذه الترجمة.',
  },
  fits: 'مناسب',
  tight: 'بالكاد يكفي',
  label: (work: string, model: string) => `${work} \u2068${model}\u2069`,
  install: 'تثبيت',
  installOf: (model: string) => `تثبيت \u2068${model}\u2069`,
  cancelOf: (model: string) => `إلغاء تنزيل \u2068${model}\u2069`,
  waiting: 'في انتظار تنزيل آخر',
  progressOf: (model: string) => `تنزيل \u2068${model}\u2069`,
  progress: (done: string, total: string) => `${done} من ${total}`,
  failed: 'فشل التنزيل.',
  askOwner: 'يمكن لمالك هذا الاستوديو تثبيته.',
}
