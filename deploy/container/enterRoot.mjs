// Programs of an image, run in its root as compose.yaml and the manifests run them.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { USER_ID } from "./replayStages.mjs";

/** Read-only, with memory for /data and /tmp, as the ordinary user and without any capability. */
const enter = (root) => `
  mount --bind ${root} ${root} && mount -o remount,bind,ro ${root}
  mount -t proc proc ${root}/proc
  mount -t tmpfs -o mode=755 tmpfs ${root}/dev
  for device in null zero urandom random; do touch ${root}/dev/$device && mount --bind /dev/$device ${root}/dev/$device; done
  mount -t tmpfs -o mode=700,uid=${USER_ID},gid=${USER_ID} tmpfs ${root}/data
  mount -t tmpfs -o mode=1777 tmpfs ${root}/tmp
  exec setpriv --no-new-privs --bounding-set=-all,+sys_chroot,+setuid,+setgid --inh-caps=-all \\
    env -i "$@" /usr/sbin/chroot --userspec=${USER_ID}:${USER_ID} --groups= ${root} /usr/local/bin/node`;

const quote = (word) => `'${word.replaceAll("'", "'\\''")}'`;

/** What follows the program's name. */
export const argumentsOf = ([program, ...args]) => {
  if (program !== "node") throw new Error(`the image starts ${program}`);
  return args;
};

/** Runs `node …` in the root; where roots cannot be made, in its folder, with nothing but the image's environment. */
export function runInRoot(root, image, args, env, isRoot = true) {
  if (image.user !== "node") throw new Error(`the image runs as ${image.user}`);
  const workdir = isRoot ? image.workdir : join(root, image.workdir);
  const placed = args.map((word, at) => (at === 0 && word.endsWith(".js") ? join(workdir, word) : word));
  const own = { ...image.env, ...(isRoot ? {} : { DATA_DIR: join(root, "data") }), ...env };
  const settings = Object.entries(own).map(([name, value]) => `${name}=${value}`);
  const [program, words] = isRoot
    ? [
        "unshare",
        [
          ...["--mount", "--propagation", "private", "sh", "-ec"],
          ...[`${enter(root)} ${placed.map(quote).join(" ")}`, "sh", ...settings],
        ],
      ]
    : ["env", ["-i", ...settings, process.execPath, ...placed]];
  const child = spawn(program, words, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      said += chunk;
    });
  return { child, said: () => said, ended: once(child, "close").then(([code]) => code) };
}
