const SIDE = 5;
const HALF = 3;

/** A small picture of an address, mirrored, so that two of them are distinguished at once. It proves nothing: many addresses share one. */
export function Identicon({ address }: { readonly address: string }) {
  const digits = address.slice(2).toLowerCase();
  const seeds = Array.from({ length: SIDE * HALF }, (_, place) => mix(digits, place));
  const hue = mix(digits, SIDE * HALF) % 360;
  return (
    <svg className="identicon" viewBox="0 0 5 5" aria-hidden="true" shapeRendering="crispEdges">
      <rect width="5" height="5" fill={`hsl(${hue} 45% 88%)`} />
      {seeds.flatMap((seed, place) => {
        if (seed % 2 === 0) return [];
        const [row, column] = [Math.floor(place / HALF), place % HALF];
        const mirrored = SIDE - 1 - column;
        const fill = `hsl(${hue} 65% 38%)`;
        return [...new Set([column, mirrored])].map((x) => (
          <rect key={`${x} ${row}`} x={x} y={row} width="1" height="1" fill={fill} />
        ));
      })}
    </svg>
  );
}

/** FNV-1a over all digits, so that each of them changes every part of the picture. */
function mix(digits: string, place: number): number {
  let hash = 2_166_136_261 ^ place;
  for (const digit of digits) hash = Math.imul(hash ^ digit.charCodeAt(0), 16_777_619) >>> 0;
  return (hash ^ (hash >>> 15)) >>> 0;
}
