@echo off
rem Starts Voice Studio from a checkout on Windows. Installs the packages of the lock file, then runs cli/main.ts. Writes only to .toolchain and node_modules.
where node >nul 2>nul
if errorlevel 1 (
  echo studio: Node 22.18 or newer is required. Install it from https://nodejs.org and run the command again. 1>&2
  exit /b 1
)
node "%~dp0toolchain\start.cjs" %*
