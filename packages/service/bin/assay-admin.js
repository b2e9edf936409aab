#!/usr/bin/env node
import "../dist/src/start/admin.js";
