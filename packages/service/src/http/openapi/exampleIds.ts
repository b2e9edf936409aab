/** Ids of the right form for examples of requests; no service knows them. */
export const EXAMPLE_INVOCATION = "inv_3d725833277ea0e67c08fc96ed438c74";
export const EXAMPLE_CLAIM = "0x583d7eb894232f9dacbc35429d8a7ebfaa374f16b9d8ded86391ad94aa7a480b";
export const EXAMPLE_ARTIFACT = "sha256:ff60a32b6a8a79a32ba98bf92345f04500e3f206a92a670cc126cdd067468d72";
