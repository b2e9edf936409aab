import { execFile } from "node:child_process";
import { mkdtemp, open, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createCampaignWorld } from "../campaignWorld.js";
import type { OpenDisturbed, Trouble } from "./disturbance.js";

const run = promisify(execFile);
/** An empty cluster, its log and the campaign's database take some 150 MB. */
const DISK_MB = 320;
const MB = Buffer.alloc(1024 * 1024);

/**
 * The file system that holds PostgreSQL's data and the service's own is full: first for tables, then also for the next file of
 * PostgreSQL's log, which makes PostgreSQL stop. It is a small one in memory, which only root may make.
 */
export const openFullDisk: OpenDisturbed = async ({ withoutProtection }) => {
  const disk = await mkdtemp(join(tmpdir(), "assay-disk-"));
  await run("mount", ["-t", "tmpfs", "-o", `size=${DISK_MB}m,mode=0711`, "tmpfs", disk]);
  const leave = async () => {
    await run("umount", ["-l", disk]);
    await rm(disk, { recursive: true, force: true });
  };
  const world = await createCampaignWorld({
    durable: true,
    directory: disk,
    withoutAnswers: withoutProtection,
  }).catch(async (error) => {
    await leave();
    throw error;
  });
  const service = await world.start();
  const ballast = join(disk, "ballast");
  let postgresStopped = 0;
  let isLogFilling = false;

  async function fill(): Promise<void> {
    const file = await open(ballast, "w");
    try {
      for (;;) await file.write(MB);
    } catch (error) {
      if ((error as { code?: string }).code !== "ENOSPC") throw error;
    } finally {
      await file.close();
    }
  }

  /** PostgreSQL that has ended for want of room is started again once there is some, as by systemd. */
  async function empty(): Promise<void> {
    isLogFilling = false;
    await rm(ballast, { force: true });
    for (let tries = 0; tries < 20; tries += 1) {
      const isUp = await world.db.ping().then(
        () => true,
        () => false,
      );
      if (isUp) return;
      await new Promise((resume) => setTimeout(resume, 500));
    }
    postgresStopped += 1;
    await world.restartPostgres(async () => undefined, "SIGINT");
  }

  async function fillLog(): Promise<void> {
    isLogFilling = true;
    while (isLogFilling) {
      await world.db
        .query({
          text: "SELECT pg_logical_emit_message(true, 'fill', repeat('x', 1000000)), pg_switch_wal()",
        })
        .catch(() => undefined);
      await new Promise((resume) => setTimeout(resume, 100));
    }
  }

  const troubles: Trouble[] = [
    { name: "no room for tables", begin: fill, end: empty },
    {
      name: "no room for the log",
      async begin() {
        await fill();
        void fillLog();
      },
      end: empty,
    },
  ];
  return {
    world,
    url: service.url,
    troubles,
    async conclude() {
      const { bavail, bsize } = await statfs(disk);
      return {
        violations: service.isDead() ? [`the service died: ${service.errors()}`] : [],
        figures: { diskMb: DISK_MB, freeMbAtEnd: Math.round((bavail * bsize) / MB.length), postgresStopped },
      };
    },
    async close() {
      isLogFilling = false;
      await world.close();
      await leave();
    },
  };
};
