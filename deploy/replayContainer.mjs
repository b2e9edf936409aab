// Replays the Dockerfile's steps on a machine without containers: each stage in a root of its own, made of namespaces and chroot. The
// last root has the node program, its libraries and what the stage copies, and no shell. `npm run campaign:container` (as root, on
// Linux; a few minutes); with `-- --built`, what `npm run build` made here stands for the first stage.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { DockerfileParser } from "dockerfile-ast";
import { createCampaignWorld } from "../packages/service/dist/campaigns/campaignWorld.js";
import {
  attempt,
  createPayer,
  prepareCall,
  SNAPSHOT_PATH,
} from "../packages/service/dist/campaigns/paidCalls.js";

const STARTS = 5;
const MOST_MS = 1500;
const PORT = "18402";
/** As in the image: the ordinary user `node`. */
const USER_ID = 1000;

const repository = join(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "assay-container-"));
const faults = [];
const check = (holds, sentence) => {
  process.stdout.write(`${holds ? "ok   " : "FAULT"} ${sentence}\n`);
  if (!holds) faults.push(sentence);
};
const sh = (script) =>
  execFileSync("unshare", ["--mount", "--propagation", "private", "sh", "-ec", script], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: 2 ** 28,
  });

/** Stages in order, each with its instructions after FROM. */
function readStages() {
  const file = DockerfileParser.parse(readFileSync(join(repository, "deploy/Dockerfile"), "utf8"));
  const stages = [];
  for (const step of file.getInstructions()) {
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
function replayBuild(root, { steps }) {
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
    process.stdout.write(
      `      ${contentOf(step)}: ${Math.round((performance.now() - startedAt) / 1000)} s\n`,
    );
  }
}

/** A file with the libraries that it is linked with, at the places where it looks for them. */
function addProgram(root, path, to) {
  const linked = execFileSync("ldd", [path], { encoding: "utf8" });
  const libraries = [...linked.matchAll(/(\/\S+) \(0x/g)].map(([, library]) => library);
  for (const [from, target] of [[path, to], ...libraries.map((library) => [library, library])]) {
    mkdirSync(dirname(join(root, target)), { recursive: true });
    cpSync(from, join(root, target), { dereference: true });
  }
}

/** The last stage: an empty root, then its steps in their order. Returns what the image would say of itself. */
function replayRuntime(root, { steps }, rootOf) {
  const image = { env: {}, workdir: "/", user: "root", command: [], health: [] };
  addProgram(root, process.execPath, "/usr/local/bin/node");
  mkdirSync(join(root, "etc"), { recursive: true });
  writeFileSync(
    join(root, "etc/passwd"),
    `root:x:0:0::/root:/\nnode:x:${USER_ID}:${USER_ID}::/home/node:/\n`,
  );
  for (const name of ["proc", "dev", "tmp", "secrets"]) mkdirSync(join(root, name), { recursive: true });
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
      execFileSync("chown", ["-R", "0:0", join(root, to)]);
    } else if (keyword === "RUN")
      // A shell for this step alone; the user's name is that of the image.
      sh(
        `cp ${root}/etc/passwd ${folder}/passwd
         ${withPrograms(root, `mount --bind ${folder}/passwd ${root}/etc/passwd; printf 'node:x:${USER_ID}:\\n' > ${folder}/group; mount --bind ${folder}/group ${root}/etc/group; chroot ${root} sh -ec '${contentOf(step)}'`)}`,
      );
  }
  // Places for the mounts of the step before are empty folders.
  for (const name of ["bin", "sbin", "lib64", "etc", "usr", "lib"])
    if (existsSync(join(root, name)) && readdirSync(join(root, name)).length === 0)
      rmSync(join(root, name), { recursive: true });
  return image;
}

/** The root as compose.yaml and the manifests mount it: read-only, with memory for /data and /tmp. */
const enter = (root, { user }) => {
  if (user !== "node") throw new Error(`the image runs as ${user}`);
  return `
  mount --bind ${root} ${root} && mount -o remount,bind,ro ${root}
  mount -t proc proc ${root}/proc
  mount -t tmpfs -o mode=755 tmpfs ${root}/dev
  for device in null zero urandom random; do touch ${root}/dev/$device && mount --bind /dev/$device ${root}/dev/$device; done
  mount -t tmpfs -o mode=700,uid=${USER_ID},gid=${USER_ID} tmpfs ${root}/data
  mount -t tmpfs -o mode=1777 tmpfs ${root}/tmp
  exec setpriv --no-new-privs --bounding-set=-all,+sys_chroot,+setuid,+setgid --inh-caps=-all \\
    env -i "$@" /usr/sbin/chroot --userspec=${USER_ID}:${USER_ID} --groups= ${root} /usr/local/bin/node`;
};

/** Runs `node …` in the last root. */
function run(root, image, args, env) {
  const settings = Object.entries({ ...image.env, ...env }).map(([name, value]) => `${name}=${value}`);
  const placed = args.map((word, at) =>
    at === 0 && word.endsWith(".js") ? join(image.workdir, word) : word,
  );
  const child = spawn(
    "unshare",
    [
      "--mount",
      "--propagation",
      "private",
      "sh",
      "-ec",
      `${enter(root, image)} ${placed.map(quote).join(" ")}`,
      "sh",
      ...settings,
    ],
    { stdio: ["ignore", "pipe", "pipe"] },
  );
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      said += chunk;
    });
  return { child, said: () => said, ended: once(child, "close").then(([code]) => code) };
}
const quote = (word) => `'${word.replaceAll("'", "'\\''")}'`;
const commandOf = ([program, ...args]) => {
  if (program !== "node") throw new Error(`the image starts ${program}`);
  return args;
};

/** Processor time of all threads, in hundredths of a second: user and system are the fields after the name in brackets. */
function readCpuMs(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return 10 * (Number(fields[11]) + Number(fields[12]));
}

async function measureStart(root, image, env) {
  const startedAt = performance.now();
  const service = run(root, image, commandOf(image.command), env);
  for (;;) {
    if (service.child.exitCode !== null) throw new Error(`the service ended: ${service.said()}`);
    const status = await fetch(`http://127.0.0.1:${PORT}/api/v1/health`).then(
      (response) => response.status,
      () => 0,
    );
    if (status === 200) {
      const ms = Math.round(performance.now() - startedAt);
      return { service, ms, cpuMs: readCpuMs(service.child.pid) };
    }
    await sleep(5);
  }
}

const root = join(folder, "runtime");
const buildRoot = join(folder, "build");
const world = await createCampaignWorld();
try {
  const [build, runtime] = readStages();
  if (process.argv.includes("--built")) {
    mkdirSync(buildRoot, { recursive: true });
    execFileSync(process.execPath, [join(repository, "deploy/assemble.mjs"), join(buildRoot, "assay")]);
  } else replayBuild(buildRoot, build);
  mkdirSync(root, { recursive: true });
  const image = replayRuntime(root, runtime, (name) => {
    if (name !== build.name) throw new Error(`no stage ${name}`);
    return buildRoot;
  });
  const files = execFileSync("find", [root, "-type", "f"], { encoding: "utf8" }).trim().split("\n");
  const programs = files.filter((file) =>
    /\/(gcc|g\+\+|cc|clang|make|ld|as|python\d?|npm|sh|bash|curl)$/.test(file),
  );
  check(
    programs.length === 0,
    `the last root has ${files.length} files, and no compiler, shell or package manager ${programs}`,
  );
  const env = {
    PORT,
    HOST: "127.0.0.1",
    DATABASE_URL: world.connectionString,
    RPC_URL: world.devnet.rpcUrl,
    PAY_TO: world.devnet.payTo,
    SETTLER_PRIVATE_KEY: world.devnet.settler.privateKey,
    LOG_LEVEL: "error",
  };
  const health = () => run(root, image, commandOf(image.health), { PORT }).ended;
  check((await health()) === 1, "the health check fails while nothing runs");

  const [times, work] = [[], []];
  for (let start = 1; start <= STARTS; start++) {
    const { service, ms, cpuMs } = await measureStart(root, image, env);
    times.push(ms);
    work.push(cpuMs);
    if (start === STARTS) {
      const status = readFileSync(`/proc/${service.child.pid}/status`, "utf8");
      const field = (name) => new RegExp(`^${name}:\\s+(.*)$`, "m").exec(status)?.[1] ?? "";
      check(
        field("Uid") === Array(4).fill(USER_ID).join("\t"),
        `the service runs as user ${field("Uid").split("\t")[0]}`,
      );
      check(
        /^0+$/.test(field("CapEff")) && field("NoNewPrivs") === "1",
        "it has no capability and can get none",
      );
      check((await health()) === 0, "the health check passes");
      const write = (path) => run(root, image, ["-e", `require("node:fs").writeFileSync("${path}", "")`], {});
      for (const path of ["/assay/packages/service/dist/bundle/main.js", "/written", "/etc/passwd"]) {
        const { ended, said } = write(path);
        check((await ended) !== 0 && /EROFS/.test(said()), `${path} cannot be written`);
      }
      check((await write("/data/written").ended) === 0, "/data can");
      const payer = createPayer(world.devnet.accounts[0].privateKey);
      const url = `http://127.0.0.1:${PORT}`;
      const sold = await attempt(url, await prepareCall(url, payer, SNAPSHOT_PATH));
      check(sold.status === 200, "a paid call is answered");
    }
    service.child.kill("SIGTERM");
    const code = await service.ended;
    if (code !== 0) check(false, `SIGTERM ends it with ${code}: ${service.said()}`);
  }
  for (const list of [times, work]) list.sort((a, b) => a - b);
  // Others on the machine make a start slower and never faster.
  check(
    times[0] <= MOST_MS,
    `ready with PostgreSQL and a node outside after ${times.join(", ")} ms, the fastest at most ${MOST_MS}`,
  );
  process.stdout.write(
    `      processor time ${work.join(", ")} ms; load of the machine ${loadavg()[0].toFixed(1)}\n`,
  );
  const { DATABASE_URL: _, ...lacking } = env;
  const without = run(root, image, commandOf(image.command), lacking);
  check(
    (await without.ended) !== 0,
    `without DATABASE_URL it does not start: ${without.said().trim().split("\n")[0]}`,
  );
} finally {
  await world.close();
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = faults.length > 0 ? 1 : 0;
