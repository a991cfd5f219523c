// Commits, sizes and digests of files, as they are written in public projects that use the same files: in at least two of them, except where
// it is said here; no digest is ours. A line has the SHA-256, the size and the path.

export type Pin = { readonly revision: string; readonly lines: string }

export const SUPERTONIC: Pin = {
  revision: '3cadd1ee6394adea1bd021217a0e650ede09a323',
  lines: `
  c3eb91414d5ff8a7a239b7fe9e34e7e2bf8a8140d8375ffb14718b1c639325db 3700147 onnx/duration_predictor.onnx
  c7befd5ea8c3119769e8a6c1486c4edc6a3bc8365c67621c881bbb774b9902ff 36416150 onnx/text_encoder.onnx
  883ac868ea0275ef0e991524dc64f16b3c0376efd7c320af6b53f5b780d7c61c 256534781 onnx/vector_estimator.onnx
  085de76dd8e8d5836d6ca66826601f615939218f90e519f70ee8a36ed2a4c4ba 101424195 onnx/vocoder.onnx
  42078d3aef1cd43ab43021f3c54f47d2d75ceb4e75f627f118890128b06a0d09 8253 onnx/tts.json
  9bf7346e43883a81f8645c81224f786d43c5b57f3641f6e7671a7d6c493cb24f 277676 onnx/unicode_indexer.json
  bbdec6ee00231c2c742ad05483df5334cab3b52fda3ba38e6a07059c4563dbc2 292046 voice_styles/F1.json
  7c722c6a72707b1a77f035d67f0d1351ba187738e06f7683e8c72b1df3477fc6 292423 voice_styles/F2.json
  12f6ef2573baa2defa1128069cb59f203e3ab67c92af77b42df8a0e3a2f7c6ab 290794 voice_styles/F3.json
  c2fa764c1225a76dfc3e2c73e8aa4f70d9ee48793860eb34c295fff01c2e032b 291808 voice_styles/F4.json
  45966e73316415626cf41a7d1c6f3b4c70dbc1ba2bee5c1978ef0ce33244fc8d 291479 voice_styles/F5.json
  e35604687f5d23694b8e91593a93eec0e4eca6c0b02bb8ed69139ab2ea6b0a5b 291748 voice_styles/M1.json
  b76cbf62bac707c710cf0ae5aba5e31eea1a6339a9734bfae33ab98499534a50 292055 voice_styles/M2.json
  ea1ac35ccb91b0d7ecad533a2fbd0eec10c91513d8951e3b25fbba99954e159b 290198 voice_styles/M3.json
  ca8eefad4fcd989c9379032ff3e50738adc547eeb5e221b82593a6d7b3bac303 291522 voice_styles/M4.json
  dd22b92740314321f8ae11c5e87f8dd60d060f15dd3a632b5adf77f471f77af2 291469 voice_styles/M5.json`,
}

/** By the size of the model. */
export const KITTEN: Readonly<Record<string, Pin>> = {
  'nano-0.8-fp32': {
    revision: '7a1db645b1f3ab9420761d87428e042b9cec3f26',
    lines: `
  320564d2615f235de972ca27a7f39551c94185cfa24ca85b07a29084135f1e5e 56767095 kitten_tts_nano_v0_8.onnx
  8aa7cee235abb0739cb51e6559685f65a4dacd95568833d05699b1633f519b3f 3278902 voices.npz
  b66006ccbeccd4de5fc3c9272059c47f5725df7215fd889785c03602652fab64 688 config.json`,
  },
  'nano-0.8-int8': {
    revision: '84781d74e29ee25217551556398b42f80593a813',
    lines: `
  f7b0afcbee92870b32b8e0276d855b954dc25470c9f051b376ac7eee537c76fc 24369971 kitten_tts_nano_v0_8.onnx
  8aa7cee235abb0739cb51e6559685f65a4dacd95568833d05699b1633f519b3f 3278902 voices.npz
  b66006ccbeccd4de5fc3c9272059c47f5725df7215fd889785c03602652fab64 688 config.json`,
  },
  'micro-0.8': {
    revision: '1ccf72b2c2048fd17efac7de2fab32d10e225084',
    lines: `
  95481626fee1ba70ce683e69c534fc7cb38433c46ce42d3abbeafb4b9f1a4123 41384970 kitten_tts_micro_v0_8.onnx
  112710c1be8ad0e967c190fb0fd95cbe5848ec4791b93209f20b28b7da20dac1 3278902 voices.npz
  1f0bd2208348f9211cb0da64fcd1536eb28228571cc6b09e767eb6e203a0a532 473 config.json`,
  },
  'mini-0.8': {
    revision: 'c02725660cea441db4c383af69f1f26f5cd00947',
    lines: `
  0f5bbae4fc4800c98dbc544a87ecfa79510de2fb8222db30d12e5bfe9177df91 78268016 kitten_tts_mini_v0_8.onnx
  40ad2638952b77b7b2f30127e2608e169fc69dd256b53bd8aaa3409a33193c42 3278902 voices.npz
  6b160bc9b19e24ecb21e84bc14f8a7da21fdf47ec72d42450bc5cf514b61804a 470 config.json`,
  },
}

/** By voice. Sizes and digests of the package hibari-tts 0.2.1, which downloads them from the branch; no commit is named there. */
export const HIBARI: Readonly<Record<string, string>> = {
  bf_emma: 'f709f0488ee63b583a22189a955aaf4257b9806dd330be3490661e53af0a89c1 7936868 voices/bf_emma.int8.onnx',
  am_fenrir: 'f59fbd87908c91f827bc21b1b89443757b9a8580db9eee20aa948deb731321f4 8031158 voices/am_fenrir_v2.int8.onnx',
  bm_fable: 'c28529302f2d27cd12f62625c24425888c4e3c2675583100ec530259136b8bc6 7936868 voices/bm_fable.int8.onnx',
  af_kore: '346885752673e45d42f9864c9e2432094bc4b6385df060d4b83273da764d2fa9 7936868 voices/af_kore.int8.onnx',
}

/** Its graphs apart from what all of them need. */
export const KOKORO_GRAPHS: Readonly<Record<'fp32' | 'fp16' | 'q8', string>> = {
  fp32: '8fbea51ea711f2af382e88c833d9e288c6dc82ce5e98421ea61c058ce21a34cb 325532232 onnx/model.onnx',
  fp16: 'ba4527a874b42b21e35f468c10d326fdff3c7fc8cac1f85e9eb6c0dfc35c334a 163234740 onnx/model_fp16.onnx',
  q8: 'fbae9257e1e05ffc727e951ef9b9c98418e6d79f1c9b6b13bd59f5c9028a1478 92361116 onnx/model_quantized.onnx',
}

export const KOKORO: Pin = {
  revision: '1939ad2a8e416c0acfeecc08a694d14ef25f2231',
  lines: `
  df34b4f930b23447cd4dc410fabfb42eb3f24e803e6c3f97d618fb359380a36f 44 config.json
  77a02c8e164413299b4b4c403b14f8e0e1c1b727db4d46a09d6327b861060a34 3497 tokenizer.json
  c4a6b876047fd7fb472edf4ebd63cfac7c3b958a7cae7c106e8f038ca6308c45 522240 voices/af_alloy.bin
  4a004c33430762e2461eedb2013fad808ef4ab3121f5300f554476caf58d8361 522240 voices/af_aoede.bin
  f69d836209b78eb8c66e75e3cda491e26ea838a3674257e9d4e5703cbaf55c8b 522240 voices/af_bella.bin
  d583ccff3cdca2f7fae535cb998ac07e9fcb90f09737b9a41fa2734ec44a8f0b 522240 voices/af_heart.bin
  a240a5e3c15b43563d6e923bdca8ef5613a23471d9b77653694012435df23bd8 522240 voices/af_jessica.bin
  9be5221b6a941c04b561959b8ff0b06e809444dcc4ab7e75a7b23606f691819e 522240 voices/af_kore.bin
  cd2191ab31b914ed7b318416b0e4440fdf392ddad9106a060819aa600a64f59a 522240 voices/af_nicole.bin
  18778272caa0d0eebaea251c35fd635f038434f9eee5e691d02a174bd328414f 522240 voices/af_nova.bin
  00a2bcf82b1d86e8f19902ede58c65ccf6c0e43b44b7d74fad54e5d8933c9c30 522240 voices/af_river.bin
  4409fbc125afabacc615d94db5398d847006a737b0247d6892b7a9a0007a2f0a 522240 voices/af_sarah.bin
  4435255c9744f3f31659e0d714ab7689bf65d9e77ec1cce060f083912614f0b9 522240 voices/af_sky.bin
  162b035ed91cfc48b6046982184c645f72edcdd1b82843347f605d7bf7b15716 522240 voices/am_adam.bin
  3968b92c3c4cd1c4416dbded36c13eaa388a90d5788d02a13e4d781f5f8cf3c3 522240 voices/am_echo.bin
  e8b5be17edd1e3636901ce7598baafe2dc8dd8ff707a0c23bf9e461add7e2832 522240 voices/am_eric.bin
  c27989f741f7ee34d273a39d8a595cc0837d35f5ced9a29b7cc162614616df43 522240 voices/am_fenrir.bin
  52403be32fd047c6a44517cb0bcd6b134f2a18baa73e70ef41651e0eab921ade 522240 voices/am_liam.bin
  1d1f21dd8da39c30705cd4c75d039d265e9bc4a2a93ed09bc9e1b1225eb95ba1 522240 voices/am_michael.bin
  da5d135b424164916d75a68ffb4c2abce3d7d5ccc82dd1ee6cf447ce286145e6 522240 voices/am_onyx.bin
  fcf73c989033e9233e0b98713eca600c8c74dcc1614b37009d5450ff4a2274a0 522240 voices/am_puck.bin
  61150cf726ab6c5ed7a99f90a304f91f5a72c00c592e89ec94e5df11c319227a 522240 voices/am_santa.bin
  08afa6ba24da61ea5e8efa139e5aadc938d83f0a6da5a900adaf763ac1da5573 522240 voices/bf_alice.bin
  669fe0647f9dd04fcab92f1439a40eeb4c8b4ab1f82e4996fe3d918ce4a63b73 522240 voices/bf_emma.bin
  3754352c4aaa46d17f27654ab7518d65b62ad6163a0f55a5f4330c2da2c4e94f 522240 voices/bf_isabella.bin
  5e0ee32ebe64a467124976b14e69590746f1c4ce41a12b587a50c862edfea335 522240 voices/bf_lily.bin
  6b3194bbceffb746733cbc22c8f593dd44e401a71d53895a2dca891bc595a1e8 522240 voices/bm_daniel.bin
  f889083196807b4adb15e9204252165f503b8d33d3982e681c52443c49d798f1 522240 voices/bm_fable.bin
  c4b235a4c1f2cd3b939fed08b899ce9385638b763f7b73a59616c4fc9bd6c9bc 522240 voices/bm_george.bin
  b8f671cef828c30e66fdf0b0756a76bba58f6bb3398cbbf27058642acbcedb97 522240 voices/bm_lewis.bin
  f66ec66bd295acb18372e37008533a9a3228483ccd294e7538d5d9294ac9a532 522240 voices/ef_dora.bin
  27809e9eafdcbcfff90a3016c697568676531de2a2c39cee29c96c7bd6b83e95 522240 voices/em_alex.bin
  ad43b774e1ca24d05c6161297d8aeb770ac3d29bb95daf516727af5f7d543683 522240 voices/em_santa.bin
  a35f5675ad08948e326ae75fd0ea16ba5d0042e4f76b5f3d1df77d0a48c54861 522240 voices/ff_siwis.bin
  040be6a4425411cc01fda5fd06693c76bfa78572632852bc8cda9c99232ffb56 522240 voices/hf_alpha.bin
  cd83ae0bb9b2e4e4fb92b4973bd8d1822ca0036d3c498bf4fc89aa8e33917cc7 522240 voices/hf_beta.bin
  b02d9222d9ed00ce26b302173a862c2c93f96cc40b5c422b8d14910b9ff34137 522240 voices/hm_omega.bin
  644daf88ba8aeb7bd08950bbdcd4453bb280864e49dc4df93fabc6be32e03f37 522240 voices/hm_psi.bin
  409b69248798fcdc2542330c76953d230710f19b057e59cb82fdc3c4cf71265c 522240 voices/if_sara.bin
  bc578e510d52a96d6940d46f12e96d7b3df00905dbea075113226d100e6e1ab0 522240 voices/im_nicola.bin
  56b479360aad9f367aeb8cef908f9201cf48b4555e488c5f4590c9dfcd978bb6 522240 voices/jf_alpha.bin
  0f1181f3772d27b7c12aaf4bcd71e31b186c4146e330d074a3dc64ee392af396 522240 voices/jf_gongitsune.bin
  13cb71eebb0b48739d444558322aa35a8c9a489b80e1e631f14d2e6aea93026b 522240 voices/jf_nezumi.bin
  29c6c0561b4288d59639677bebe7533c919743d5ea68d0d2ae992644beea6696 522240 voices/jf_tebukuro.bin
  09e959d239724c734d65661f06f14cdabcddfd476bfaaad905a937099ae9e64f 522240 voices/jm_kumo.bin
  3da7b5b2d91847ebf5646f57631af6ececae3c29a89cd300f06edf9aa6cfe9ee 522240 voices/pf_dora.bin
  0175c753f59c54e7fd5a995bedef0c5ff2fb67e0043dd3dcb2ae74ec2acbeb2a 522240 voices/pm_alex.bin
  8b012db3185778afe2e45a62cbad69db73021774fe68dda634bcc748a982eede 522240 voices/pm_santa.bin
  5dde6e1c9c4f12c8b327bc29c0cee361a23b52b952c04636858ba637ec66e640 522240 voices/zf_xiaobei.bin
  08892b62a39af0a615cd0581238db7e19e44c578e8fa0bfd0e586e93327d9cba 522240 voices/zf_xiaoni.bin
  03adb5d5e3ddd88b047954e974e651cb0a4b524c985057e5d872e962c7be1169 522240 voices/zf_xiaoxiao.bin
  bc1555c5c486099196ac254bae5e0bb543c121952a3092f50b7d8724f1bc36b3 522240 voices/zf_xiaoyi.bin
  de48a00bdbf3649f07162269a2b6e0513604389bfac8a2e6c75cb34b323ad6fa 522240 voices/zm_yunjian.bin
  7243892fb4e560d47014090ddf010f8b8b790f3c6b029ff82b2ac06aa4e27c8b 522240 voices/zm_yunxi.bin
  6b2b8fc15b3df19a368daebe5c581c7fabf433ee5b8a17ffd6b3d723cff8936d 522240 voices/zm_yunxia.bin
  261e2c89470534dbbcb8fd98b8fdc495ec94063d9bb6c8277f7be43cccba3f42 522240 voices/zm_yunyang.bin`,
}

/** The models of dictation, by the name of their repository. */
export const DICTATION: Readonly<Record<string, Pin>> = {
  'sherpa-onnx-nemo-parakeet-tdt-0.6b-v3-int8': {
    revision: '2bda32ec70b097a55adaa07d9a7173915b43cc78',
    lines: `
  acfc2b4456377e15d04f0243af540b7fe7c992f8d898d751cf134c3a55fd2247 652184281 encoder.int8.onnx
  179e50c43d1a9de79c8a24149a2f9bac6eb5981823f2a2ed88d655b24248db4e 11845275 decoder.int8.onnx
  3164c13fc2821009440d20fcb5fdc78bff28b4db2f8d0f0b329101719c0948b3 6355277 joiner.int8.onnx
  d58544679ea4bc6ac563d1f545eb7d474bd6cfa467f0a6e2c1dc1c7d37e3c35d 93939 tokens.txt`,
  },
  'sherpa-onnx-nemo-parakeet-tdt-0.6b-v2-int8': {
    revision: '1ab9323565ddb038682214b292f588070a538ce2',
    lines: `
  a32b12d17bbbc309d0686fbbcc2987b5e9b8333a7da83fa6b089f0a2acd651ab 652184296 encoder.int8.onnx
  b6bb64963457237b900e496ee9994b59294526439fbcc1fecf705b31a15c6b4e 7257753 decoder.int8.onnx
  7946164367946e7f9f29a122407c3252b680dbae9a51343eb2488d057c3c43d2 1739080 joiner.int8.onnx
  ec182b70dd42113aff6c5372c75cac58c952443eb22322f57bbd7f53977d497d 9384 tokens.txt`,
  },
  'sherpa-onnx-streaming-zipformer-bilingual-zh-en-2023-02-20': {
    revision: '98590b7ed6443e77b714204da2757d75e1a642f4',
    lines: `
  8fa764187a261844f859d7143ebaa563af5d10adfece4c18a8f414c88cba2a9b 181895032 encoder-epoch-99-avg-1.int8.onnx
  2e3b5ec371f8899ee6acd829fd753ba45772df57a91bdf37cde3136354e7db7d 13876452 decoder-epoch-99-avg-1.onnx
  1ed689c5ed19dbaa725d9d191bb4822b5f4855a39e1ffd28cbc1f340d25b2ee0 3228404 joiner-epoch-99-avg-1.int8.onnx
  a8e0e4ec53810e433789b54a5c0134a7eaa2ffca595a6334d54c00da858841d3 56317 tokens.txt`,
  },
  'sherpa-onnx-streaming-paraformer-bilingual-zh-en': {
    revision: '8e40c43232a1c5c66c82111efc5820d3accca11b',
    lines: `
  81a70226a8934e6ed92aa1d4fc486b428b5398e2f2619ed4897b7294cab90e9a 165462184 encoder.int8.onnx
  f3cca9f77bb9d93c8fcbfb63ae617b6b1ee96818df3aa3b151c40658fe38594f 71664561 decoder.int8.onnx
  59aba8873a2ed1e122c25fee421e25f283b63290efbde85c1f01a853d83cb6e6 75756 tokens.txt`,
  },
  'sherpa-onnx-streaming-zipformer-en-20M-2023-02-17': {
    revision: 'd42f2d9f7ca24806fb667456a18a9f1b60f70d16',
    lines: `
  3810755ce7c3ab26b42a8bcf39d191308fa27fb0f53358823ba46141d03b7eb3 42845182 encoder-epoch-99-avg-1.int8.onnx
  45a7f940ecfb53d89fa270ad11b88b961e53a317203eb24b1c8e95ed208b0f30 2092272 decoder-epoch-99-avg-1.onnx
  e085d73b593cf9b0707f370dbd656d58327d3fe36d80d849202ef81df02cb01e 259572 joiner-epoch-99-avg-1.int8.onnx
  49e3c2646595fd907228b3c6787069658f67b17377c60aeb8619c4551b2316fb 5048 tokens.txt`,
  },
  'sherpa-onnx-streaming-zipformer-zh-14M-2023-02-23': {
    revision: '204ad334e2e683fd295359930cc16fc0432a23ac',
    lines: `
  1c556ea57cec304e55ec4b72e52c1cc098bb01476ed7d90f3de939fe126487b1 21621684 encoder-epoch-99-avg-1.int8.onnx
  5ee0f03a2768ff1d5c83ef3a493243c7935d316cd41280037b14783a3467cc78 7509745 decoder-epoch-99-avg-1.onnx
  a7cf9d82757bdcf786059454495a9ca95e4bd7347f72473fc08d794475c36169 1795562 joiner-epoch-99-avg-1.int8.onnx
  8b294db9045d6e5f94647f4c1eec1af4da143a75053c399611444b378ff966ac 48697 tokens.txt`,
  },
  'sherpa-onnx-whisper-tiny': {
    revision: '65176e2deb88badc814a94058666cadccc29b61c',
    lines: `
  d24fb083ae3b1041fc24e97971d60e280c9342201fbb67b0ab428a8b4a51a434 12937772 tiny-encoder.int8.onnx
  d2fece8dd42771f1df975c6c0445770d0c292bf7547c2cae04a6c0cc57540925 89855401 tiny-decoder.int8.onnx
  b34b360dbb493e781e479794586d661700670d65564001f23024971d1f2fa126 816730 tiny-tokens.txt`,
  },
}

/** Segmentation of a recording by voice. */
export const SEGMENTATION: Pin = {
  revision: '9403a6902bb58e3d5ae8c7e77c3422de279db2e0',
  lines: '220ad67ca923bef2fa91f2390c786097bf305bceb5e261d4af67b38e938e1079 5992913 model.onnx',
}
export const EMBEDDING: Pin = {
  revision: '0743f301363dec56491a490f6d6cbc9d67f9a3bf',
  lines: 'e9848563da86f263117134dfd7ad63c92355b37de492b55e325400c9d9c39012 26530550 wespeaker_en_voxceleb_resnet34_LM.onnx',
}

export const MOONSHINE: Pin = {
  revision: 'b1e9b6aae3c3c7298f10c3798393fdf38e8fbbad',
  lines: `
  fab7241d1e9fc6c2370c4c6dfb5da79bb54d67ed9ab6b507ac51d29d2abe01d1 922 config.json
  f9b3f711b57be7def2e50a8942f64f36ee0a55fad5b84ff93a687b6c5bcc1d44 147 generation_config.json
  fa43a7017ef85cd1d0fba0d9aae77c8adb16990ae6f11115631f41ec5d8aa679 128 preprocessor_config.json
  7b913404bdd039af4756783218af4440bc07fb7d6d8258d677e34f95b3ec416f 3761754 tokenizer.json
  edaee394565d428ea98a663ae7209cdcfeefc5585c42d7a570ff7c986df2cd15 135735 tokenizer_config.json
  153e128e7abd64a74ee47f2c3f585c3171c4d46cbb368b032827934c4e01e779 80818781 onnx/encoder_model.onnx
  58778763ca8438963190244d6b26572bdca2cedec56a4b91e828f3f2d69ef3c5 166211345 onnx/decoder_model_merged.onnx`,
}

export const MOSS: Pin = {
  revision: 'f52645cb467506d8e18e746ddd59482685b74e58',
  lines: `
  097d80e993dc29f0bae427590b4f77084a161cb578b50d82c29f455d5faa9eee 503354 browser_poc_manifest.json
  3edf25232dcd0af3d061c837e9a968a39e2f8592e06777d740503c4f2244f95c 4487 tts_browser_onnx_meta.json
  c353ee1479b536bf414c1b247f5542b6607fb8ae91320e5af1781fee200fddff 470897 tokenizer.model
  d56126dcd0574c2f15d98fc6b35eda68d0386b5bd9c5e38e28548d6f2ea8f3db 283305 moss_tts_prefill.onnx
  698cbc2fc1c2feca16e5895614ed52bbb32ded10f236c076f477b2e69abf32d8 291483 moss_tts_decode_step.onnx
  aa9035fefc1c138a951a8bcfc0374fb03a25f1ece67f7f7f53bce349b84a1dd5 53685 moss_tts_local_cached_step.onnx
  51aa754301b38550a5f9adda0ad93bd3dc95819afb511e6dcabf4a90b345a454 49231 moss_tts_local_decoder.onnx
  40cdb00efc171c450cf91468e01429caa41b0252222cd308e978f58fe354afa8 471262 moss_tts_local_fixed_sampled_frame.onnx
  bce8312c3df6a44545302cae229b61054fe0672e0b252ba59cba47adeed831dc 440813568 moss_tts_global_shared.data
  bae7782032c0fb12490ab42afe009f87ae6c75a0f0596fc7b5c08e4d5ee93916 229678080 moss_tts_local_shared.data`,
}
export const MOSS_CODEC: Pin = {
  revision: 'ceff0d0749bfb3fa2d61149794ec6feef0d1e1ae',
  lines: `
  3e291c883bb7d11ff2fe8e964e3e495519760358859f35c951254c7741592731 17036 codec_browser_onnx_meta.json
  0fbbafe3fd4afa2a019af5c5ced204af6e2d1db044fa40f021525d2aee95b4ac 681902 moss_audio_tokenizer_decode_full.onnx
  9527c86a29e1837edec1f74db57d5eeaadb3a715af3382703566460afed25855 351400 moss_audio_tokenizer_decode_step.onnx
  e69d52e0f4e84ca27850557ee54face46632d3a5a16c89bd246c7c408466dcad 44198912 moss_audio_tokenizer_decode_shared.data
  eadea4a645abdcf98714c7aead122ee2ce7da6e080f9f80b977cd1ca8e19473a 815775 moss_audio_tokenizer_encode.onnx
  aa751265b2bab2887eac224484546b194875aa7494b607115439b3dc6b228a2c 44507136 moss_audio_tokenizer_encode.data`,
}

/** Revision of the space that has the other languages. The copies in the repositories of others come from it, equal in every byte. */
export const POCKET_SPACE = 'd0c0c79b7712256a32d691c67f20b8ae2e020d00'
/** Only one project states the digests of the two files that are missing here. */
export const POCKET_FRENCH: Pin = {
  revision: '58a6d00cf13d239b6748cb0769f35c580a8f606c',
  lines: `
  8a5fe6c59985e3ccb5a6ccb1ffb2e84ac08488c5bfa704053618851436741427 42235 onnx/french_24l/bundle.json
  521c85bdb2da10618f4be52021ed1cb2a7a6299b040708487f133193f7b305e2 60173 onnx/french_24l/tokenizer.model
  89d1b6ac55e618e42d2bd840438ce918bffb14960475ef091847ca39be641e65 16388344 onnx/french_24l/text_conditioner.onnx
  6130a6b98fae175147d82752263e250fb7b8483c1ef5373753ad335c16f4a129 305144125 onnx/french_24l/flow_lm_main_int8.onnx
  d340c549d5a1e0e7b88a0fb26fcae53c3b76486872f4418398a395bb1bc88701 9962530 onnx/french_24l/flow_lm_flow_int8.onnx
  b329ff3de3aa95455d2dee1cf371943dec269dd8711008017501ca129cb18d8c 22684077 onnx/french_24l/mimi_decoder_int8.onnx`,
}

// The three that follow are told by one project only: the program of those who published this very backbone. Other projects load the backbone
// from the same repository, and tell the same sizes of the embeddings and of the codec's decoder.
export const OMNIVOICE_BACKBONE: Pin = {
  revision: 'a0109dfbd1ec0ec5874d15a1b32353886a5f17dc',
  lines: `
  5643dbbf00e50b1f500123d1669e7966f7888a7770b10acb4cf69c5a5f6b6d09 9111300 llm_backbone_fp32.onnx
  7ba81a2fdcfb63f9cc7c1d0186414a8edc437cb913c92ca6b2a7778c87baca17 1761869824 llm_backbone_fp32.onnx.data`,
}
const OMNIVOICE_REVISION = '65b5f5324837023204c6a6fa8c0c3ece2f1ab2bf'
/** The parts before and after the backbone, both in half precision. */
export const OMNIVOICE_ENDS: Pin = {
  revision: OMNIVOICE_REVISION,
  lines: `
  5b216f18a58e33e52e7d2a85ea843b996b1b7da6ecfbc5d70fb82f5e15136ab6 2172 audio_embeddings_encoder.onnx
  e2c605b03749beefd0b9d1c037b1ebd2d0c9c5c29928d7e382a1d4e5d3316660 327426048 audio_embeddings_encoder.onnx.data
  38e69afe9c9aa531fa59f23337d7fecbe84b7b04dc9c3ce0b871249a1c659ad4 16795584 audio_heads_decoder.onnx`,
}
export const OMNIVOICE_DECODER: Pin = {
  revision: OMNIVOICE_REVISION,
  lines: 'b28b3317a6cbf0d0f4a71b476ecb5c767612a31702da6561154783c94b6fa806 86500102 audio_tokenizer/higgs_decoder.onnx',
}

export const OMNIVOICE_TEXT: Pin = {
  revision: 'c5fdb5ccb189668d56333f77ba2629f4cd7535f4',
  lines: '408f669b7e2b045fdf54201d815bd364e6667dbd845115da81239c40bc6dcfd1 11423986 tokenizer.json',
}

/**
 * Whisper by its size, files of several precisions together. Missing digests are not published; for the encoder of `small` and most files
 * of `large-v3-turbo` one project publishes them.
 */
export const WHISPER: Readonly<Record<string, Pin>> = {
  tiny: { revision: '517244293732ee2d58139af5814231b7e6830a0d', lines: '' },
  base: {
    revision: '608c49e61301901684bc36cac8f74b95ff6b5a8e',
    lines: `
  f4d0608f7d918166da7edb3e188de5ef1bfe70d9802e785d271fd88111e9cf4b 2243 config.json
  61070cf8de25b1e9256e8e102ded49d8d24a8369ed36ef84fdf21549e68125a0 3832 generation_config.json
  a6a76d28c93edb273669eb9e0b0636a2bddbb1272c3261e47b7ca6dfdbac1b8d 339 preprocessor_config.json
  27fc476bfe7f17299480be2273fc0608e4d5a99aba2ab5dec5374b4482d1a566 2480466 tokenizer.json
  2e036e4dbacfdeb7242c7d4ec4149f4a16e86026048f94d1637e3a8ee9c6a573 282682 tokenizer_config.json
  7fcea817bb2be4d86729b521e5a7fcbec28fa743edfed67e882b33ff15852540 82451730 onnx/encoder_model.onnx
  2714484ebe1bae7c1646e8eadb768bb9d415cf11763466d21f23039a29c62e6f 23159167 onnx/encoder_model_quantized.onnx
  cf9a8d5bcddc0917a0078135b484cedcaf44f28909cd91910abd29dced9171db 53712708 onnx/decoder_model_merged_quantized.onnx`,
  },
  small: {
    revision: '65caa70f294b46e1c33ff820aae6b16d048ab818',
    lines: `
  a6a76d28c93edb273669eb9e0b0636a2bddbb1272c3261e47b7ca6dfdbac1b8d 339 preprocessor_config.json
  27fc476bfe7f17299480be2273fc0608e4d5a99aba2ab5dec5374b4482d1a566 2480466 tokenizer.json
  c0908c1ef2326f5487d1f77e56c6925f910ae56c87fa269ed885682ac851e588 352791798 onnx/encoder_model.onnx`,
  },
  'large-v3-turbo': {
    revision: 'b3f77bf9a8c4d5ea3415827033d1ffea7955fd9a',
    lines: `
  32c02d1dfb9a93ff236cdcf0f741f8f3a4cedb437c407a361a022451ac009131 1330 config.json
  8568ddf83476167b4607014956b87142763fa6923e71259a606734beb39bdfc8 3797 generation_config.json
  7ccc62c6f2765af1f3b46c00c9b5894426835a05021c8b9c01eecb6dfb542711 340 preprocessor_config.json
  b3c8202bbf06d8ee4232c5984baa563784ac4737e2e7fdc42fa180200d3cfcdb 2480645 tokenizer.json
  844b642c73a91359722f47b35705f7174686df33d252695d8572cf9ac03a6389 282843 tokenizer_config.json
  a5bece0f99f86b5fed85e59b6b23299500639b283a0a6e00098e6583ed1baeb8 644883359 onnx/encoder_model_quantized.onnx
  b4ab1c92a9bcf8c8fdc49deacb57ac51b707d5248bc7868af42371b896c3ae52 439997434 onnx/decoder_model_merged_quantized.onnx`,
  },
}

/** Projects tell two digests of its weights, so the commit alone is kept. */
export const WAV2VEC2 = 'a19f851b3d42865797e410752b4c570c871e4825'

/** No project names a commit of these mirrors; the digests are of the files that Ultimate Vocal Remover publishes under the same names. */
export const MDX_VOC = '534b2070fcc7df514b13ef660dc8cbb328679c2374d04354a5c42bb14ecce111 66762490 models/MDXNet/UVR-MDX-NET-Voc_FT.onnx'
export const MDX_9703 = '229ad3bb96a037e89d8ed86732d6d3675856e6a07c3e3f02896eac01ec7ee4be 29704436 UVR_MDXNET_1_9703.onnx'

export const HTDEMUCS: Pin = {
  revision: 'd54ed9eb60e258ea82131c6ee14578628816456a',
  lines: 'd05c269d0178d2a72ad484b10b11dd370193fc923201c3b27a99f848745db70a 165612636 htdemucs_fp16weights.onnx',
}
