import { createRequire } from "node:module";

const load = createRequire(import.meta.url);

/** Drawn off this thread, with fonts from a package: what is installed on the machine decides nothing. */
export async function drawCard(svg: string): Promise<Buffer> {
  const { renderAsync }: typeof import("@resvg/resvg-js") = load("@resvg/resvg-js");
  const fontFiles = ["400Regular/DMSans_400Regular.ttf", "700Bold/DMSans_700Bold.ttf"].map((name) =>
    load.resolve(`@expo-google-fonts/dm-sans/${name}`),
  );
  const drawn = await renderAsync(svg, {
    font: { fontFiles, loadSystemFonts: false, defaultFontFamily: "DM Sans" },
  });
  return Buffer.from(drawn.asPng());
}
