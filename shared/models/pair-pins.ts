// Commits, sizes and digests of the models that translate, as public projects write them that use the same files. Where two projects tell a
// file they agree; of `en-es`, `de-en`, `it-en` and `nl-en` most is told by one only, which took it from the listing of that commit.
import type { Pin } from './pins.ts'

export const M2M100: Pin = {
  revision: '9c374f0b7aca709787cea97b047bfbbd1559d177',
  lines: `
  1dbdf77ddc7809acd4c54ccf0eab46f840b40174afb1b6f6de8787244e832938 908 config.json
  722210dd0bee7bef4e8e7f9a8574d8c56a2dfff723d73f390ce67892740b9009 233 generation_config.json
  03d9e111731c2d71f39a2c2a88499743e4c251385d07f0384b4349a23ba54363 7988527 tokenizer.json
  bacfd4b9da25a61e01f17abe660465f616c9a1a3f5e23ab9ad3326c3788f2d9f 1813 tokenizer_config.json
  13a94e354a9140764eb81102d77d3ec6952d796e6f113c651eeb3c3443da0386 287856370 onnx/encoder_model_quantized.onnx
  007654bcabb6cea6fd3bde34ce933137b431330b3755781145d7b6906270b45a 344128178 onnx/decoder_model_merged_quantized.onnx`,
}

/** By source and target. */
export const OPUS: Readonly<Record<string, Pin>> = {
  'en-de': {
    revision: '1ca130c44c4c5441ef16d48aae521a424ab644f7',
    lines: `
  517955ebf66cd6523f9982851dd41771b74fb2d9c00b4933ba2922ac7a63336f 1411 config.json
  cd16a899388283889c6e87b903c689ce73430aaa18335415f9d9ea770606538e 293 generation_config.json
  8e0fcf45621ea87fa680c7f9969c37a7f819c1f4c7658a2e6e0879b866a14b17 5498450 tokenizer.json
  4500a1295197174119cf17f9b2e6eab2d5c3a9c64009fb1e37ebd2868bf1161c 280 tokenizer_config.json
  15834b45fabd2dfb8c6c029b3ca3e7289aeefd90ece798ce42bcf548d1bd3b8d 49366942 onnx/encoder_model_quantized.onnx
  8b46a825964cdd182fe47cc780f0fb87d357eae1f47cf20aa63c1c09be5b510c 56652404 onnx/decoder_model_merged_quantized.onnx`,
  },
  'de-en': {
    revision: '399dfd68706739fffd503f876093e455ae268a06',
    lines: `
  6754743ec4754957d8552dad869d1314f3af6626b67446ec4cebe5e2fbaa0fc4 1376 config.json
  cd16a899388283889c6e87b903c689ce73430aaa18335415f9d9ea770606538e 293 generation_config.json
  8e0fcf45621ea87fa680c7f9969c37a7f819c1f4c7658a2e6e0879b866a14b17 5498450 tokenizer.json
  e3687c40400600366d9b073a3fd9f75dc8b40d5a9d6e5c92544cf2e9592abe6c 280 tokenizer_config.json
  4cedda8f8c89b72a42b3c6cd1e7a27f2de24457093e3bf80cb3e46829641fcd8 49366942 onnx/encoder_model_quantized.onnx
  4712800584b2d77c2f9e620bf29523e2b20b62f65ade5011ee01780e2b0ea5d3 56652404 onnx/decoder_model_merged_quantized.onnx`,
  },
  'en-fr': {
    revision: '28726206f80896b90035bd99cccd5cc1e151f916',
    lines: `
  b522b73fcc86f77981349c1df2a2e041eed0dbcbea4acf2635019cf21d51ffc0 1411 config.json
  f9a4824ec78c61b4a95afc43bbb6a9545a44ccf1c01d0963a286e799b9e7b256 293 generation_config.json
  8391785c1a2139e7af4678571ccd8dc654ecbb72e4be186940f65d7c604f0246 5637839 tokenizer.json
  eb8dfaa142fe03627c8d035415f56c46284b6ee4a16e54c6e8236928ac5a1170 280 tokenizer_config.json
  0a81bdba62f53223740a8c6c6f58e716eba8ea1f92dfa569caf27ed5e3b6a0f7 50090398 onnx/encoder_model_quantized.onnx
  333b244bce16023df04541c8cf9fd60aec9b0569da393c4b831d561897b0bda8 57381512 onnx/decoder_model_merged_quantized.onnx`,
  },
  'fr-en': {
    revision: '6b166a182780e118c997879d0ad5be4b53671644',
    lines: `
  6c2851f154d7b88c7767e4fdcf8a5694a36a456bfa6cbcde1b13fdbade3b56f6 1411 config.json
  f9a4824ec78c61b4a95afc43bbb6a9545a44ccf1c01d0963a286e799b9e7b256 293 generation_config.json
  8391785c1a2139e7af4678571ccd8dc654ecbb72e4be186940f65d7c604f0246 5637839 tokenizer.json
  bba9e6b1e3b9724d15ebacaf11eaac360c5ae3f4139bcdef0ee1610592eaa3fe 280 tokenizer_config.json
  e727cb26ac6bf816394c49671af69c9ae5798868fed1e40849872415dffc1772 50090398 onnx/encoder_model_quantized.onnx
  73bc7ac8e29c42e6f212ebcc29a2991d3646a04aabb642c0036aa54b40e4e1a9 57381512 onnx/decoder_model_merged_quantized.onnx`,
  },
  'en-es': {
    revision: '4b002a4c7edd54a7ced58877258b87f7efd3f892',
    lines: `
  499eae1f97eeba63172fc884f92fd727ae803b7ceb79c0f653aa4b011152af2f 1468 config.json
  b743baabb7da4c1a2f19fe558bd6b4c0c7c3b0762fcb5ca7a48fe5a2c2219803 293 generation_config.json
  285eb29e7155ee48851a77960797813f86a125f70d2c1a124f613f1fbd2b19c3 6262682 tokenizer.json
  dfb00189b823fb0f15464e9c4e68dd8594f5e5ef5f8dc497468a37741e73aa1f 282 tokenizer_config.json
  03434edd1147e6c49e22066e9dc5888235e99cc35a6711d1c4ea5b06455d5da9 52899742 onnx/encoder_model_quantized.onnx
  58ee5ddd6e22d1693d8722b90c1486afb93700a4376cf28fd74175052ad530ae 60212804 onnx/decoder_model_merged_quantized.onnx`,
  },
  'es-en': {
    revision: 'eadfd7c658a9d8929ac3b8e996b68a68e2c7d480',
    lines: `
  fab3a7f93185bc5aa7b419f6a1e6e74d98c8f2a506c94493d3019bf46da3478d 1433 config.json
  b743baabb7da4c1a2f19fe558bd6b4c0c7c3b0762fcb5ca7a48fe5a2c2219803 293 generation_config.json
  285eb29e7155ee48851a77960797813f86a125f70d2c1a124f613f1fbd2b19c3 6262682 tokenizer.json
  e1fac15a910169d5b5ec07a13b0374273626a239b5142db10be229ca66cc52a9 282 tokenizer_config.json
  c01e70f8455efc350831aa2af7ed187b16829241f0018ba07d1ba643a391bc18 52899742 onnx/encoder_model_quantized.onnx
  4cd91ab30240d295ce907b5100826031838c672005e57e524d711122d75605fa 60212804 onnx/decoder_model_merged_quantized.onnx`,
  },
  'it-en': {
    revision: 'fd0b89b9c052adc1f2f64152f555aa17353728be',
    lines: `
  4b82a23b7a91b213a934db70d0a33712a739fdd7c5686b02d89642d7dcfc7ac4 1376 config.json
  bab9fcae043547da07e13c701f77cf55b6b1517d6f73848c5c4476e7255da512 293 generation_config.json
  c19e1dac8287ec5c5d47a0d81be5e0fd11755666b996c764ef4d13bb8117e3a2 7942314 tokenizer.json
  b0039f5c755ca180319fc4cd689398a62cd4a67042538158271f199437f0cccd 280 tokenizer_config.json
  a025d2d85c90da23880116b67175e43e71921d8d2bf446b9f1eacdc86015aa4c 60773278 onnx/encoder_model_quantized.onnx
  aebc2789cd2ef8062fbda020bac90b61e68458ba98a4c43cea63c1d2310ba2b8 68147852 onnx/decoder_model_merged_quantized.onnx`,
  },
  'nl-en': {
    revision: '82c42d95d1508037cbe7172d85fd4e940a2f3584',
    lines: `
  e03f36d5475954f1c09b08d0da68d6ea06a051e299a399e740554ed768d2a99c 1376 config.json
  b11b1ae60dbb7656d021197a8883e81004dbdb74652df9d113f2efe2ca0dd974 293 generation_config.json
  c6b55d9ac70b2a566f0307c6f80d3136fb839ed8e70bb16186324747df58668b 6433167 tokenizer.json
  7e7b5a6712709169fe3bcd7fe1bfb851310e09b4ef70a7e39b176de30e420657 280 tokenizer_config.json
  7b8b1e9071bed8e2394e3bd2f65b952700b1dd1293d087141134c8bac018653b 53937566 onnx/encoder_model_quantized.onnx
  ad4df9a08f16952c0d9ee06807f54d62fcd07a9109c2c0b8ea05a4422d7bf4d7 61258736 onnx/decoder_model_merged_quantized.onnx`,
  },
  'ru-en': {
    revision: 'afe8c6c738ec81b6d033fd8f44f9678a639a7c67',
    lines: `
  60dc7d0906dbe42a1d740cdd7e84ce1534685b81fbe16005a0301adac69086ce 1376 config.json
  9bcb507fa6117b07870df6627294b878b0710a55bc3abc9cf0db980e0c48fe2c 293 generation_config.json
  981cd3d9fef6bb4dda8082afda716b65deb6717cb3ef35ac0b57002c09dec2bb 7205388 tokenizer.json
  c0710ba5ee70ccb2d0e6b0092139d00f370b9c4783c4b077584cb3cc8f7ac4e0 280 tokenizer_config.json
  c10df0466540534bb70c4402d539c349b8bfa9968184cad89f51408cf13e7eb7 51628446 onnx/encoder_model_quantized.onnx
  25e7ff97b201bce64ab9c39749761d657b70b8602bcbc1ce01c67f713e90ffdf 58931576 onnx/decoder_model_merged_quantized.onnx`,
  },
  'en-zh': {
    revision: '046f55aec303cdee3e0318604406d4df20f1e8ea',
    lines: `
  4727d1229a04f95bf6f39abf949d8080615433d99d6ebd85f81c09edd247d5fa 1503 config.json
  b743baabb7da4c1a2f19fe558bd6b4c0c7c3b0762fcb5ca7a48fe5a2c2219803 293 generation_config.json
  d0c7da27056e8f42adce9e76d8e792e5daa64e15f5acd2e7aabf0121877dd4c1 6380952 tokenizer.json
  a914596e6bff113a8428d4793b586da87cd0b95697a0e72aba90cc1d95858481 282 tokenizer_config.json
  d3b7912bf6a9bd27e4c074c2df91d4ff3d5b4bc5f7f6c8d7cc9c805c98fbafee 52899742 onnx/encoder_model_quantized.onnx
  023be4f841f4c47cd65fffcbaa81c0d99d7f7e0138f7ba0e03fa220a4e688aff 60212804 onnx/decoder_model_merged_quantized.onnx`,
  },
  'zh-en': {
    revision: '39d480d52a9ea3065a1f117adfe4dbc55de10e6f',
    lines: `
  293d318fce41dbf04114eac45037bb88a32d7c4ee21011a75e24a8b98ca45ad1 1389 config.json
  8dc29fef0fe82109f94ef3c2e6ea6bded3215d357b226c34cf7b4630726766c9 293 generation_config.json
  b306d0301cf280bfd647d7067b5ade2a97b987e6d678df110703c002433643ff 6381339 tokenizer.json
  08849acc0a539c4749d8665e9d6217735503a97871ccebeea8a762d5fba1acf7 282 tokenizer_config.json
  84d5e171b626bc8b6b220d022ac58696e9528c25deeacca62b5cbf4364547a99 52899742 onnx/encoder_model_quantized.onnx
  c6b7f04ff1ba0fbd1bf6852599b4c0cad6fe512d57cd887f44ef36cf705424cb 60212804 onnx/decoder_model_merged_quantized.onnx`,
  },
  // The digests of the two missing files are not published; they come from the listing of the commit.
  'en-ru': {
    revision: 'e050376e960175e8ddc5cff85025dc8436cddd68',
    lines: `
  885345001ac4f978b5e295a04eb6bd6c346ebc7381e30d5b3dd927b178d8a5ef 293 generation_config.json
  981cd3d9fef6bb4dda8082afda716b65deb6717cb3ef35ac0b57002c09dec2bb 7205388 tokenizer.json
  97f28d8295d231b7da721ded06fa8c034787df2122cd8f85b904abdc4d15bd53 51628446 onnx/encoder_model_quantized.onnx
  7efefcd793a5663bc204224a92a123524f3dfe2ffad59e5f73d6734d1b11ad04 58931576 onnx/decoder_model_merged_quantized.onnx`,
  },
  // Of these two only the commit is told.
  'en-it': { revision: '075406e3c8c2c30634d4a1bd8f00c21d9e162011', lines: '' },
  'en-nl': { revision: 'c3a0541231a7329b4492809fc2bd7ab7d2ceb0bc', lines: '' },
}
