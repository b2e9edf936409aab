// The stages of the Dockerfile, each in a root of its own, without Docker.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DockerfileParser } from "dockerfile-ast";

/** As in the image: the ordinary user `node`. */
export const USER_ID = 1000;

const sh = (script) =>
  execFileSync("unshare", ["--mount", "--propagation", "private", "sh", "-ec", script], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: 2 ** 28,
  });

/** Whether this process may make roots: Linux, and the right to mount. */
export function mayMakeRoots() {
  try {
    execFileSync(
      "unshare",
      ["--mount", "--propagation", "private", "mount", "-t", "tmpfs", "tmpfs", "/mnt"],
      {
        stdio: "ignore",
      },
    );
    return process.getuid() === 0;
  } catch {
    return false;
  }
}

/** Stages in order, each with its instructions after FROM. */
export function readStages(dockerfile) {
  const stages = [];
  for (const step of DockerfileParser.parse(readFileSync(dockerfile, "utf8")).getInstructions()) {
    if (step.getKeyword() === "FROM") stages.push({ name: step.getBuildStage(), steps: [] });
    else stages.at(-1)?.steps.push(step);
  }
  return stages;
}
const words = (step) => step.getJSONStrings().map((word) => word.getJSONValue());
const contentOf = (step) => step.getArgumentsContent();

/** The programs of this machine stand for those of the image, read-only, and only while a step runs. */
const withPrograms = (root, work) => `
  for part in bin sbin lib lib64 usr etc; do
    [ -e /$part ] || continue
    mkdir -p ${root}/$part && mount --bind -o ro /$part ${root}/$part
  done
  mkdir -p ${root}/proc ${root}/dev ${root}/tmp/.npm && mount -t proc proc ${root}/proc && mount --rbind /dev ${root}/dev
  # Where npm finds its registry here, and what it has loaded before.
  [ ! -e $HOME/.npmrc ] || { touch ${root}/tmp/.npmrc; mount --bind -o ro $HOME/.npmrc ${root}/tmp/.npmrc; }
  [ ! -e $HOME/.npm ] || mount --bind $HOME/.npm ${root}/tmp/.npm
  ${work}`;

/** The first stage: what git has, without what .dockerignore names, installed and built from nothing. */
export function replayBuild(repository, root, { steps }, { check, note }) {
  const place = contentOf(steps.find((step) => step.getKeyword() === "WORKDIR"));
  const source = join(root, place);
  mkdirSync(source, { recursive: true });
  execFileSync("sh", [
    "-ec",
    `git -C ${repository} ls-files -z --recurse-submodules | tar -C ${repository} --null -T - -c | tar -C ${source} -x`,
  ]);
  check(!existsSync(join(source, "node_modules")), `the first stage begins with sources only, in ${place}`);
  for (const step of steps.filter((one) => one.getKeyword() === "RUN")) {
    const startedAt = performance.now();
    const command = contentOf(step).replaceAll("'", "'\\''");
    sh(withPrograms(root, `HOME=/tmp chroot ${root} sh -ec 'cd ${place} && ${command}' >&2`));
    note(`${contentOf(step)}: ${Math.round((performance.now() - startedAt) / 1000)} s`);
  }
}

/** Parts of Debian's libc, which each of its images has, and which native packages are linked with beside those of Node. */
const LIBC_PARTS = ["librt.so.1", "libresolv.so.2"];

/** A file with the libraries that it is linked with, at the places where it looks for them. */
function addProgram(root, path, to) {
  const linked = execFileSync("ldd", [path], { encoding: "utf8" });
  const libraries = [...linked.matchAll(/(\/\S+) \(0x/g)].map(([, library]) => library);
  const libc = libraries.find((library) => library.endsWith("/libc.so.6"));
  libraries.push(...LIBC_PARTS.map((name) => join(dirname(libc), name)));
  for (const [from, target] of [[path, to], ...libraries.map((library) => [library, library])]) {
    mkdirSync(dirname(join(root, target)), { recursive: true });
    cpSync(from, join(root, target), { dereference: true });
  }
}

/**
 * The last stage: an empty root with the node program, then the stage's steps in their order. `rootOf` has the root of each earlier
 * stage. Returns what the image would say of itself. Without the right to make roots, only files are copied, and they are not owned by root.
 */
export function replayRuntime(root, { steps }, { rootOf, isRoot }) {
  const image = { env: {}, workdir: "/", user: "root", command: [], health: [] };
  if (isRoot) {
    addProgram(root, process.execPath, "/usr/local/bin/node");
    mkdirSync(join(root, "etc"), { recursive: true });
    writeFileSync(
      join(root, "etc/passwd"),
      `root:x:0:0::/root:/\nnode:x:${USER_ID}:${USER_ID}::/home/node:/\n`,
    );
    for (const name of ["proc", "dev", "tmp", "secrets"]) mkdirSync(join(root, name), { recursive: true });
  }
  for (const step of steps) {
    const keyword = step.getKeyword();
    if (keyword === "ENV")
      for (const property of step.getProperties()) image.env[property.getName()] = property.getValue();
    else if (keyword === "WORKDIR") image.workdir = contentOf(step);
    else if (keyword === "USER") image.user = contentOf(step);
    else if (keyword === "CMD") image.command = words(step);
    else if (keyword === "HEALTHCHECK")
      image.health = JSON.parse(/CMD\s+(\[.*\])\s*$/s.exec(contentOf(step))[1]);
    else if (keyword === "COPY") {
      const flags = Object.fromEntries(step.getFlags().map((flag) => [flag.getName(), flag.getValue()]));
      const [from, to] = step.getArguments().map((argument) => argument.getValue());
      execFileSync("cp", ["-a", join(rootOf(flags.from), from), join(root, to)]);
      if (isRoot) execFileSync("chown", ["-R", "0:0", join(root, to)]);
    } else if (keyword === "RUN") {
      if (isRoot) runStep(root, contentOf(step));
      else mkdirSync(join(root, "data"));
    }
  }
  // Places for the mounts of the steps are empty folders.
  for (const name of ["bin", "sbin", "lib64", "etc", "usr", "lib"])
    if (existsSync(join(root, name)) && readdirSync(join(root, name)).length === 0)
      rmSync(join(root, name), { recursive: true });
  return image;
}

/** With a shell for this step alone; the user's name is that of the image. */
function runStep(root, command) {
  const names = `${root}.names`;
  mkdirSync(names);
  cpSync(join(root, "etc/passwd"), join(names, "passwd"));
  writeFileSync(join(names, "group"), `node:x:${USER_ID}:\n`);
  sh(
    withPrograms(
      root,
      `for name in passwd group; do mount --bind ${names}/$name ${root}/etc/$name; done; chroot ${root} sh -ec '${command}'`,
    ),
  );
  rmSync(names, { recursive: true });
}
